import ReactiveCore

/// The cost of a value in streams of streams.
func nested() -> [Measurement?] {
  [
    measure("switch to latest, a new inner every 10 events", atMost: .allocation, reference: handWrittenSwitch) {
      let (outer, input) = Signal<Numbers, Never>.pipe()
      outer.flatten(.latest).observeValues { sink &+= $0 }
      return { count in
        for _ in 0..<count / 10 {
          let inner = Numbers.pipe()
          input.send(value: inner.output)
          for number in 0..<10 { inner.input.send(value: number) }
        }
      }
    },
    measure("flatMap (merge) of one-value producers", atMost: .allocation, reference: handWrittenFlatMap) {
      let (outer, input) = Numbers.pipe()
      outer.flatMap(.merge) { SignalProducer(value: $0) }.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("groupBy, 100 keys", atMost: .value, reference: handWrittenGroups) {
      let (signal, input) = Numbers.pipe()
      signal.groupBy { $0 % 100 }.observeValues { group in group.observeValues { sink &+= $0 } }
      return feeding(input)
    },
  ]
}

/// Shapes without a limit.
func otherNested() -> [Measurement?] {
  [
    measure("switch to latest, producers of ten values") {
      let (outer, input) = Numbers.pipe()
      outer.flatMap(.latest) { SignalProducer($0..<$0 + 10) }.observeValues { sink &+= $0 }
      return { count in
        for number in 0..<count / 10 { input.send(value: number) }
      }
    },
    measure("flatMap (merge) of one-value producers, mapped") {
      let (outer, input) = Numbers.pipe()
      outer.flatMap(.merge) { SignalProducer(value: $0).map { $0 &+ 1 } }.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("flatMap (concat) of one-value producers") {
      let (outer, input) = Numbers.pipe()
      outer.flatMap(.concat) { SignalProducer(value: $0) }.observeValues { sink &+= $0 }
      return feeding(input)
    },
  ]
}

private func handWrittenSwitch() -> (Int) -> Void {
  var current = Source()
  let output = adding()
  return { count in
    for number in 0..<count {
      if number % 10 == 0 {
        current = Source()
        current.observe(hidden { output($0) })
      }
      current.send(number)
    }
  }
}

/// The hand-written counterpart of a producer of one value.
@inline(never) private func oneValue(_ value: Int) -> ((Int) -> Void) -> Void { { $0(value) } }

private func handWrittenFlatMap() -> (Int) -> Void {
  sending(to: hidden { oneValue($0)(adding()) })
}

private func handWrittenGroups() -> (Int) -> Void {
  var groups: [Int: Source] = [:]
  return sending(
    to: hidden { value in
      if let group = groups[value % 100] { return group.send(value) }
      let group = Source()
      group.observe(adding())
      groups[value % 100] = group
      group.send(value)
    })
}

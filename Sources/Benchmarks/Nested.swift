import ReactiveCore

/// Streams of streams.
func nested() -> [Measurement?] { switching() + flattening() }

/// A new inner stream every ten events; an event is a value of an inner stream.
private func switching() -> [Measurement?] {
  [
    measure("switch to latest, pipes", reference: handWrittenSwitch) {
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
    measure("switch to latest, producers of ten values") {
      let (outer, input) = Numbers.pipe()
      outer.flatMap(.latest) { SignalProducer($0..<$0 + 10) }.observeValues { sink &+= $0 }
      return { count in
        for number in 0..<count / 10 { input.send(value: number) }
      }
    },
  ]
}

private func handWrittenSwitch() -> (Int) -> Void {
  var inner: (Int) -> Void = { _ in }
  let output = opaque { (value: Int) in sink &+= value }
  return { count in
    for number in 0..<count {
      if number % 10 == 0 { inner = opaque { output($0) } }
      inner(number)
    }
  }
}

private func flattening() -> [Measurement?] {
  [
    measure("flatMap (merge) of one-value producers") {
      let (outer, input) = Numbers.pipe()
      outer.flatMap(.merge) { SignalProducer(value: $0) }.observeValues { sink &+= $0 }
      return feeding(input)
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

import ReactiveCore

typealias Numbers = Signal<Int, Never>

/// Sends so many numbers.
func feeding(_ input: Numbers.Observer) -> (Int) -> Void {
  { count in
    for number in 0..<count { input.send(value: number) }
  }
}

/// Calls so many times.
private func calling(_ closure: @escaping (Int) -> Void) -> (Int) -> Void {
  let hidden = opaque(closure)
  return { count in
    for number in 0..<count { hidden(number) }
  }
}

/// A hand-written link of a chain: what it does, then the next.
private func link(_ step: @escaping (Int) -> Int?, _ next: @escaping (Int) -> Void) -> (Int) -> Void {
  opaque { if let value = step($0) { next(value) } }
}

private func handWrittenMaps(_ count: Int) -> (Int) -> Void {
  (0..<count).reduce(opaque { sink &+= $0 }) { next, _ in
    opaque { next($0 &+ 1) }
  }
}

/// The shapes of the core, each beside closures written by hand.
func coreBenchmarks() -> [Measurement] {
  (values() + joins() + linearBenchmarks() + nested() + fanOut() + subscriptions() + properties()).compactMap(\.self)
}

private func values() -> [Measurement?] {
  [
    measure("send to one observer", reference: { calling { sink &+= $0 } }) {
      let (signal, input) = Numbers.pipe()
      signal.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure(
      "map, filter, map",
      reference: {
        calling(link({ $0 &+ 1 }, link({ $0 & 1 == 0 ? $0 : nil }, link({ $0 &* 3 }, { sink &+= $0 }))))
      }
    ) {
      let (signal, input) = Numbers.pipe()
      signal.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("ten maps", reference: { calling(handWrittenMaps(10)) }) {
      let (signal, input) = Numbers.pipe()
      signal.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }.map { $0 &+ 6 }
        .map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("ten maps, built in a loop", reference: { calling(handWrittenMaps(10)) }) {
      let (signal, input) = Numbers.pipe()
      let chain = (0..<10).reduce(signal) { signal, step in signal.map { $0 &+ step } }
      chain.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("scan, skipRepeats", reference: handWrittenScan) {
      let (signal, input) = Numbers.pipe()
      signal.scan(0) { $0 &+ $1 & 3 }.skipRepeats().observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("cold range, map, filter, reduce", events: 5_000_000) {
      { count in
        SignalProducer<Int, Never>(0..<count).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }
          .startWithValues { sink = $0 }
      }
    },
  ]
}

private func handWrittenScan() -> (Int) -> Void {
  var state = 0
  var last: Int?
  return calling(
    link(
      {
        state = state &+ $0 & 3
        return state
      },
      link(
        { value in
          defer { last = value }
          return last == value ? nil : value
        }, { sink &+= $0 })))
}

private func joins() -> [Measurement?] {
  [
    measure("combineLatest of 2", reference: handWrittenCombination) {
      let (left, leftInput) = Numbers.pipe()
      let (right, rightInput) = Numbers.pipe()
      left.combineLatest(with: right).observeValues { sink &+= $0.0 &+ $0.1 }
      rightInput.send(value: 1)
      return { count in
        for number in 0..<count / 2 {
          leftInput.send(value: number)
          rightInput.send(value: number)
        }
      }
    },
    measure("merge of 4", reference: { calling(link({ $0 }, { sink &+= $0 })) }) {
      let (a, b, c, d) = (Numbers.pipe(), Numbers.pipe(), Numbers.pipe(), Numbers.pipe())
      Numbers.merge(a.output, b.output, c.output, d.output).observeValues { sink &+= $0 }
      return { [a = a.input, b = b.input, c = c.input, d = d.input] count in
        for number in 0..<count / 4 {
          a.send(value: number)
          b.send(value: number)
          c.send(value: number)
          d.send(value: number)
        }
      }
    },
  ]
}

private func handWrittenCombination() -> (Int) -> Void {
  var left: Int?
  var right: Int?
  let output = opaque { (pair: (Int, Int)) in sink &+= pair.0 &+ pair.1 }
  return calling {
    if $0 & 1 == 0 { left = $0 } else { right = $0 }
    if let left, let right { output((left, right)) }
  }
}

private func fanOut() -> [Measurement?] {
  [
    measure(
      "1,000 observers, per delivery", events: 4_000, per: 1_000,
      reference: {
        let closures = (0..<1_000).map { _ in opaque { sink &+= $0 } }
        return calling { value in for closure in closures { closure(value) } }
      }
    ) {
      let (signal, input) = Numbers.pipe()
      for _ in 0..<1_000 { signal.observeValues { sink &+= $0 } }
      return feeding(input)
    }
  ]
}

private func subscriptions() -> [Measurement?] {
  [
    measure("observe and dispose", events: 200_000) {
      let (signal, input) = Numbers.pipe()
      return { count in
        for _ in 0..<count { signal.observeValues { sink &+= $0 }?.dispose() }
        withExtendedLifetime(input) {}
      }
    },
    measure("build, observe, dispose a chain of 5", events: 100_000) {
      let (signal, input) = Numbers.pipe()
      return { count in
        for _ in 0..<count {
          signal.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &+ 1 }.skipRepeats().map { $0 &+ 1 }
            .observeValues { sink &+= $0 }?.dispose()
        }
        withExtendedLifetime(input) {}
      }
    },
    measure("take(1) of 3, per subscription", events: 100_000) {
      let producer = SignalProducer<Int, Never>([1, 2, 3]).take(first: 1)
      return { count in
        for _ in 0..<count { producer.startWithValues { sink &+= $0 } }
      }
    },
    measure("failure caught and replaced, per subscription", events: 100_000) {
      let producer = SignalProducer<Int, Trouble>([1]).concat(error: Trouble())
        .flatMapError { _ in SignalProducer<Int, Never>([2]) }
      return { count in
        for _ in 0..<count { producer.startWithValues { sink &+= $0 } }
      }
    },
    measure("concat of two sequences, per subscription", events: 100_000) {
      let producer = SignalProducer<Int, Never>([1]).concat(SignalProducer([2]))
      return { count in
        for _ in 0..<count { producer.startWithValues { sink &+= $0 } }
      }
    },
    measure("concat of two, per subscription", events: 100_000) {
      let producer = SignalProducer<Int, Never>(value: 1).concat(SignalProducer(value: 2))
      return { count in
        for _ in 0..<count { producer.startWithValues { sink &+= $0 } }
      }
    },
  ]
}

private func properties() -> [Measurement?] {
  [
    measure("property set, derived property, observer", reference: { calling(link({ $0 &+ 1 }, { sink &+= $0 })) }) {
      let property = MutableProperty(0)
      let derived = property.map { $0 &+ 1 }
      derived.signal.observeValues { sink &+= $0 }
      return { count in
        for number in 0..<count { property.value = number }
        withExtendedLifetime(derived) {}
      }
    }
  ]
}

private struct Trouble: Error {}

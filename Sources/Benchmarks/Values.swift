import ReactiveCore

typealias Numbers = Signal<Int, Never>

/// Sends `count` numbers.
func feeding(_ input: Numbers.Observer) -> (Int) -> Void {
  { count in
    for number in 0..<count { input.send(value: number) }
  }
}

/// The cost of a value through one input's operators.
func values() -> [Measurement?] {
  [
    measure("send to one observer", atMost: .value, reference: { sending(to: adding()) }) {
      let (signal, input) = Numbers.pipe()
      signal.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("map, filter, map", atMost: .value, reference: handWrittenMapFilterMap) {
      let (signal, input) = Numbers.pipe()
      signal.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("ten maps", atMost: .value, reference: handWrittenMaps) {
      let (signal, input) = Numbers.pipe()
      signal.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }.map { $0 &+ 6 }
        .map { $0 &+ 7 }.map { $0 &+ 8 }.map { $0 &+ 9 }.map { $0 &+ 10 }.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("scan, skipRepeats", atMost: .value, reference: handWrittenScan) {
      let (signal, input) = Numbers.pipe()
      signal.scan(0) { $0 &+ $1 & 3 }.skipRepeats().observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("cold range, map, filter, reduce", atMost: .value, events: 5_000_000, reference: handWrittenFold) {
      { count in
        SignalProducer<Int, Never>(0..<count).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.reduce(0) { $0 &+ $1 }
          .startWithValues { sink = $0 }
      }
    },
  ]
}

/// Shapes without a limit: other uses of the same operators.
func otherValues() -> [Measurement?] {
  [
    measure("ten maps, built in a loop", reference: handWrittenMaps) {
      let (signal, input) = Numbers.pipe()
      let chain = (0..<10).reduce(signal) { signal, step in signal.map { $0 &+ step } }
      chain.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("five filters and five compactMaps, built in a loop") {
      let (signal, input) = Numbers.pipe()
      let chain = (0..<5).reduce(signal) { signal, step in
        signal.filter { $0 >= step }.compactMap { $0 >= step ? $0 &+ step : nil }
      }
      chain.observeValues { sink &+= $0 }
      return feeding(input)
    },
    measure("combinePrevious, take(while:), enumerate") {
      let (signal, input) = Numbers.pipe()
      signal.combinePrevious(0).take(while: { $0.0 >= 0 }).enumerate().observeValues { sink &+= $0.index }
      return feeding(input)
    },
  ]
}

private func handWrittenMapFilterMap() -> (Int) -> Void {
  sending(to: mapping({ $0 &+ 1 }, link({ $0 & 1 == 0 ? $0 : nil }, mapping({ $0 &* 3 }, adding()))))
}

private func handWrittenMaps() -> (Int) -> Void {
  sending(to: (1...10).reduce(adding()) { next, step in mapping({ $0 &+ step }, next) })
}

private func handWrittenScan() -> (Int) -> Void {
  var state = 0
  var last: Int?
  let first = link(
    {
      state = state &+ $0 & 3; return state
    },
    link(
      { value in
        defer { last = value }
        return last == value ? nil : value
      }, adding()))
  return sending(to: first)
}

private func handWrittenFold() -> (Int) -> Void {
  var sum = 0
  let first = mapping({ $0 &+ 1 }, link({ $0 & 1 == 0 ? $0 : nil }, hidden { sum &+= $0 }))
  return { count in
    for number in 0..<count { first(number) }
    sink = sum
  }
}

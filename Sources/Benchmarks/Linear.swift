import ReactiveCore

/// The operators of one input and the joins, each beside closures written by hand.
func linearBenchmarks() -> [Measurement?] {
  [
    measure("zip of 2", reference: handWrittenPairs) {
      let (left, leftInput) = Numbers.pipe()
      let (right, rightInput) = Numbers.pipe()
      left.zip(with: right).observeValues { sink &+= $0.0 &+ $0.1 }
      return { count in
        for number in 0..<count / 2 {
          leftInput.send(value: number)
          rightInput.send(value: number)
        }
      }
    },
    measure("zip of 3") {
      let (a, b, c) = (Numbers.pipe(), Numbers.pipe(), Numbers.pipe())
      Numbers.zip(a.output, b.output, c.output).observeValues { sink &+= $0.0 &+ $0.1 &+ $0.2 }
      return { [a = a.input, b = b.input, c = c.input] count in
        for number in 0..<count / 3 {
          a.send(value: number)
          b.send(value: number)
          c.send(value: number)
        }
      }
    },
    measure("combineLatest of 3") {
      let (a, b, c) = (Numbers.pipe(), Numbers.pipe(), Numbers.pipe())
      Numbers.combineLatest(a.output, b.output, c.output).observeValues { sink &+= $0.0 &+ $0.1 &+ $0.2 }
      return { [a = a.input, b = b.input, c = c.input] count in
        for number in 0..<count / 3 {
          a.send(value: number)
          b.send(value: number)
          c.send(value: number)
        }
      }
    },
    measure("withLatest") {
      let (left, leftInput) = Numbers.pipe()
      let (right, rightInput) = Numbers.pipe()
      left.withLatest(from: right).observeValues { sink &+= $0.0 &+ $0.1 }
      rightInput.send(value: 1)
      return { count in
        for number in 0..<count { leftInput.send(value: number) }
        withExtendedLifetime(rightInput) {}
      }
    },
    measure("combinePrevious, take(while:), enumerate") {
      let (signal, input) = Numbers.pipe()
      signal.combinePrevious(0).take(while: { $0.0 >= 0 }).enumerate().observeValues { sink &+= $0.index }
      return { count in for number in 0..<count { input.send(value: number) } }
    },
    measure("cold range, map, filter, reduce at the end", events: 5_000_000) {
      { count in
        SignalProducer<Int, Never>(0..<count).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.reduce(0) { $0 &+ $1 }
          .startWithValues { sink = $0 }
      }
    },
  ]
}

private func handWrittenPairs() -> (Int) -> Void {
  var waiting: [Int] = []
  let output = opaque { (pair: (Int, Int)) in sink &+= pair.0 &+ pair.1 }
  let input = opaque { (value: Int) in
    if waiting.isEmpty { waiting.append(value) } else { output((waiting.removeLast(), value)) }
  }
  return { count in for number in 0..<count { input(number) } }
}

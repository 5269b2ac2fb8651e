import ReactiveCore

/// The cost of a value in operators that join several signals; an event is a value of any input.
func joins() -> [Measurement?] {
  [
    measure("combineLatest of 2", atMost: .value, reference: handWrittenCombination) {
      let (left, right) = (Numbers.pipe(), Numbers.pipe())
      left.output.combineLatest(with: right.output).observeValues { sink &+= $0.0 &+ $0.1 }
      return feedingInTurn(left.input, right.input)
    },
    measure("merge of 4", atMost: .value, reference: handWrittenMerge) {
      let pipes = (0..<4).map { _ in Numbers.pipe() }
      Numbers.merge(pipes[0].output, pipes[1].output, pipes[2].output, pipes[3].output).observeValues { sink &+= $0 }
      return feedingInTurn(pipes[0].input, pipes[1].input, pipes[2].input, pipes[3].input)
    },
    measure("zip of 2", atMost: .value, reference: handWrittenPairs) {
      let (left, right) = (Numbers.pipe(), Numbers.pipe())
      left.output.zip(with: right.output).observeValues { sink &+= $0.0 &+ $0.1 }
      return feedingInTurn(left.input, right.input)
    },
  ]
}

/// Shapes without a limit.
func otherJoins() -> [Measurement?] {
  [
    measure("combineLatest of 3") {
      let (a, b, c) = (Numbers.pipe(), Numbers.pipe(), Numbers.pipe())
      Numbers.combineLatest(a.output, b.output, c.output).observeValues { sink &+= $0.0 &+ $0.1 &+ $0.2 }
      return feedingInTurn([a.input, b.input, c.input])
    },
    measure("zip of 3") {
      let (a, b, c) = (Numbers.pipe(), Numbers.pipe(), Numbers.pipe())
      Numbers.zip(a.output, b.output, c.output).observeValues { sink &+= $0.0 &+ $0.1 &+ $0.2 }
      return feedingInTurn([a.input, b.input, c.input])
    },
    measure("combineLatest of 5") {
      let (a, b, c, d, e) = (Numbers.pipe(), Numbers.pipe(), Numbers.pipe(), Numbers.pipe(), Numbers.pipe())
      Numbers.combineLatest(a.output, b.output, c.output, d.output, e.output)
        .observeValues { first, _, _, _, last in sink &+= first &+ last }
      return feedingInTurn([a.input, b.input, c.input, d.input, e.input])
    },
    measure("combineLatest of 8") {
      let pipes = (0..<8).map { _ in Numbers.pipe() }
      let signals = pipes.map(\.output)
      Numbers.combineLatest(
        signals[0], signals[1], signals[2], signals[3], signals[4], signals[5], signals[6], signals[7]
      ).observeValues { first, _, _, _, _, _, _, last in sink &+= first &+ last }
      return feedingInTurn(pipes.map(\.input))
    },
    measure("zip of 5") {
      let (a, b, c, d, e) = (Numbers.pipe(), Numbers.pipe(), Numbers.pipe(), Numbers.pipe(), Numbers.pipe())
      Numbers.zip(a.output, b.output, c.output, d.output, e.output)
        .observeValues { first, _, _, _, last in sink &+= first &+ last }
      return feedingInTurn([a.input, b.input, c.input, d.input, e.input])
    },
    measure("zip of 8") {
      let pipes = (0..<8).map { _ in Numbers.pipe() }
      let signals = pipes.map(\.output)
      Numbers.zip(signals[0], signals[1], signals[2], signals[3], signals[4], signals[5], signals[6], signals[7])
        .observeValues { first, _, _, _, _, _, _, last in sink &+= first &+ last }
      return feedingInTurn(pipes.map(\.input))
    },
    measure("withLatest") {
      let (left, right) = (Numbers.pipe(), Numbers.pipe())
      left.output.withLatest(from: right.output).observeValues { sink &+= $0.0 &+ $0.1 }
      right.input.send(value: 1)
      return { [kept = right.input] count in
        feeding(left.input)(count)
        withExtendedLifetime(kept) {}
      }
    },
  ]
}

/// Sends `count` numbers, alternating between two inputs.
private func feedingInTurn(_ a: Numbers.Observer, _ b: Numbers.Observer) -> (Int) -> Void {
  { count in
    for number in 0..<count / 2 {
      a.send(value: number)
      b.send(value: number)
    }
  }
}

private func feedingInTurn(
  _ a: Numbers.Observer, _ b: Numbers.Observer, _ c: Numbers.Observer, _ d: Numbers.Observer
) -> (Int) -> Void {
  { count in
    for number in 0..<count / 4 {
      a.send(value: number)
      b.send(value: number)
      c.send(value: number)
      d.send(value: number)
    }
  }
}

/// Sends numbers to any number of inputs in turn, which are reference-counted meanwhile.
func feedingInTurn(_ inputs: [Numbers.Observer]) -> (Int) -> Void {
  { count in
    for number in 0..<count / inputs.count {
      for input in inputs { input.send(value: number) }
    }
  }
}

private func handWrittenCombination() -> (Int) -> Void {
  var left: Int?
  var right: Int?
  return sendingInTurn(
    to: hidden {
      left = $0
      if let right { addPair(($0, right)) }
    },
    hidden {
      right = $0
      if let left { addPair((left, $0)) }
    })
}

private func handWrittenMerge() -> (Int) -> Void {
  let sources = (0..<4).map { _ in Source() }
  for source in sources { source.observe(adding()) }
  return { count in
    for number in 0..<count / 4 {
      for source in sources { source.send(number) }
    }
  }
}

@inline(never) private func addPair(_ pair: (Int, Int)) { sink &+= pair.0 &+ pair.1 }

private func handWrittenPairs() -> (Int) -> Void {
  var left: [Int] = []
  var right: [Int] = []
  return sendingInTurn(
    to: hidden { if right.isEmpty { left.append($0) } else { addPair(($0, right.removeFirst())) } },
    hidden { if left.isEmpty { right.append($0) } else { addPair((left.removeFirst(), $0)) } })
}

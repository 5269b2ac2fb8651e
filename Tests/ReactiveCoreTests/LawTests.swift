import ReactiveCore
import TestSupport
import Testing

/// Laws of all streams, shown on generated ones.
@Suite struct LawTests {
  private typealias Stream = SignalProducer<Int, Failure>
  private typealias Events = [Event<Int, Failure>]

  private static let seeds: [UInt64] = Array(1...200)

  @Test(arguments: seeds) func `map fuses`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (stream, _) = stream(&random)
    let (f, g) = (function(&random), function(&random))
    #expect(events(stream.map(f).map(g)) == events(stream.map { g(f($0)) }))
    #expect(events(stream.map { $0 }) == events(stream))
  }

  @Test(arguments: seeds) func `filter conjoins`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (stream, _) = stream(&random)
    let (p, q) = (predicate(&random), predicate(&random))
    let both = events(stream.filter { p($0) && q($0) })
    #expect(events(stream.filter(p).filter(q)) == both)
    #expect(events(stream.filter(q).filter(p)) == both)
    #expect(events(stream.compactMap { p($0) && q($0) ? $0 : nil }) == both)
  }

  @Test(arguments: seeds) func `merge is commutative up to order, and has all values`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (a, b) = (completing(&random), completing(&random))
    let (one, other) = (values(of: a.stream.merge(with: b.stream)), values(of: b.stream.merge(with: a.stream)))
    #expect(one.sorted() == other.sorted())
    #expect(one.sorted() == (a.values + b.values).sorted())
  }

  @Test(arguments: seeds) func `merge keeps each source's order`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let inputs = (0..<3).map { _ in Signal<(source: Int, number: Int), Never>.pipe() }
    var merged: [(source: Int, number: Int)] = []
    Signal.merge(inputs.map(\.output)).observeValues { merged.append($0) }
    var counts = [0, 0, 0]
    for _ in 0..<30 {
      let source = Int(random.next() % 3)
      inputs[source].input.send(value: (source, counts[source]))
      counts[source] += 1
    }
    for source in 0..<3 {
      #expect(merged.filter { $0.source == source }.map(\.number) == Array(0..<counts[source]))
    }
    for (_, input) in inputs { input.sendCompleted() }
  }

  @Test(arguments: seeds) func `concat associates, and has nothing as its neutral element`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (a, b, c) = (stream(&random).stream, stream(&random).stream, stream(&random).stream)
    #expect(events(a.concat(b).concat(c)) == events(a.concat(b.concat(c))))
    #expect(events(a.concat(.empty)) == events(a))
    #expect(events(Stream.empty.concat(a)) == events(a))
  }

  @Test(arguments: seeds) func `dematerialize undoes materialize`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (stream, expected) = stream(&random)
    #expect(events(stream) == expected)
    #expect(events(stream.materialize().dematerialize()) == expected)
    #expect(events(stream.materializeResults().dematerializeResults()) == expected)
  }

  @Test(arguments: seeds) func `zip pairs by number`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let count = 10 + Int(random.next() % 20)
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<Int, Never>.pipe()
    var pairs: [[Int]] = []
    var sent = (left: 0, right: 0)
    left.zip(with: right).observeValues { pairs.append([$0.0, $0.1]) }
    for _ in 0..<count {
      if random.next() % 2 == 0 {
        leftInput.send(value: sent.left)
        sent.left += 1
      } else {
        rightInput.send(value: sent.right)
        sent.right += 1
      }
      // As soon as both exist, and not before.
      #expect(pairs == (0..<min(sent.left, sent.right)).map { [$0, $0] })
    }
    leftInput.sendCompleted()
    rightInput.sendCompleted()
  }

  @Test(arguments: seeds) func `zip of two, of three and of many agree`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (a, b, c) = (completing(&random), completing(&random), completing(&random))
    let count = min(a.values.count, b.values.count, c.values.count)
    let expected = (0..<count).map { [a.values[$0], b.values[$0], c.values[$0]] }
    #expect(values(of: SignalProducer.zip(a.stream, b.stream, c.stream).map { [$0, $1, $2] }) == expected)
    #expect(values(of: SignalProducer.zip([a.stream, b.stream, c.stream])) == expected)
    let nested = a.stream.zip(with: b.stream).zip(with: c.stream)
    #expect(values(of: nested.map { [$0.0.0, $0.0.1, $0.1] }) == expected)
  }

  @Test(arguments: seeds) func `combineLatest sends the latest of each, and nothing before all have one`(_ seed: UInt64)
  {
    var random = SplitMix(seed: seed)
    let inputs = (0..<3).map { _ in Signal<Int, Never>.pipe() }
    var many: [[Int]] = []
    var pack: [[Int]] = []
    let signals = inputs.map(\.output)
    Signal.combineLatest(signals).observeValues { many.append($0) }
    Signal.combineLatest(signals[0], signals[1], signals[2]).observeValues { pack.append([$0, $1, $2]) }
    var latest: [Int?] = [nil, nil, nil]
    var expected: [[Int]] = []
    for number in 0..<30 {
      let source = Int(random.next() % 3)
      inputs[source].input.send(value: number)
      latest[source] = number
      let known = latest.compactMap { $0 }
      if known.count == 3 { expected.append(known) }
      #expect(many == expected)
    }
    #expect(pack == expected)
    for (_, input) in inputs { input.sendCompleted() }
  }

  @Test(arguments: seeds) func `take and skip divide a stream`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let source = completing(&random)
    let count = Int(random.next() % 12)
    let last = source.stream.take(last: count)
    if count > 0 {
      let first = source.stream.take(first: count)
      #expect(values(of: first) + values(of: source.stream.skip(first: count)) == source.values)
    }
    #expect(values(of: source.stream.skip(last: count)) + values(of: last) == source.values)
    let p = predicate(&random)
    #expect(values(of: source.stream.take(while: p)) + values(of: source.stream.skip(while: p)) == source.values)
  }

  @Test(arguments: seeds) func `the last state of scan is what reduce gives`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let source = completing(&random)
    let states = values(of: source.stream.scan(7) { $0 &* 3 &+ $1 })
    #expect(values(of: source.stream.reduce(7) { $0 &* 3 &+ $1 }) == [states.last ?? 7])
  }

  @Test(arguments: seeds) func `lists put together again are the stream`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let source = completing(&random)
    let count = 1 + Int(random.next() % 5)
    let lists = values(of: source.stream.collect(count: count))
    #expect(lists.flatMap { $0 } == source.values)
    #expect(lists.dropLast().allSatisfy { $0.count == count })
    #expect(values(of: source.stream.collect()) == [source.values])
  }

  @Test(arguments: seeds) func `a signal's operator does what a producer's does`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (stream, _) = stream(&random)
    let (f, p) = (function(&random), predicate(&random))
    let direct = events(stream.map(f).filter(p).skipRepeats().combinePrevious(0).map { $0 &- $1 })
    let lifted = events(stream.lift { $0.map(f).filter(p).skipRepeats().combinePrevious(0).map { $0 &- $1 } })
    #expect(direct == lifted)
  }
}

// MARK: Generators

extension LawTests {
  /// Up to eleven small numbers and an ending, with the events.
  private func stream(_ random: inout SplitMix) -> (stream: Stream, events: Events) {
    let values = numbers(&random)
    let ending: Event<Int, Failure> =
      switch random.next() % 3 {
      case 0: .completed
      case 1: .failed(Failure(code: Int(random.next() % 5)))
      default: .interrupted
      }
    let events = values.map { Event<Int, Failure>.value($0) } + [ending]
    return (Stream { observer, _ in for event in events { observer.send(event) } }, events)
  }

  private func completing(_ random: inout SplitMix) -> (stream: Stream, values: [Int]) {
    let values = numbers(&random)
    return (Stream(values), values)
  }

  private func numbers(_ random: inout SplitMix) -> [Int] {
    (0..<random.next() % 12).map { _ in Int(random.next() % 10) }
  }

  private func function(_ random: inout SplitMix) -> (Int) -> Int {
    let (factor, summand) = (Int(random.next() % 7), Int(random.next() % 7))
    return { $0 &* factor &+ summand }
  }

  private func predicate(_ random: inout SplitMix) -> (Int) -> Bool {
    let divisor = 2 + Int(random.next() % 3)
    return { !$0.isMultiple(of: divisor) }
  }

  private func events(_ stream: Stream) -> Events {
    var events: Events = []
    stream.start { events.append($0) }
    return events
  }

  private func values<Value>(of stream: SignalProducer<Value, Failure>) -> [Value] {
    var values: [Value] = []
    stream.start { if let value = $0.value { values.append(value) } }
    return values
  }
}

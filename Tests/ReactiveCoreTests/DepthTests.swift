import ReactiveCore
import Testing

/// Consecutive streams that send and end at once: the stack must not grow with their number.
@Suite struct DepthTests {
  /// On a stack so small that one level per stream would overflow it many times over.
  private static let count = 3_000

  /// A producer that is started many times by itself or by an operator on streams of its values.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let producer: @Sendable () -> SignalProducer<Int, Failure>
    var testDescription: String { name }
  }

  /// Returns an inner stream: known in advance, or work that sends at once.
  private static func inner(_ value: Int) -> SignalProducer<Int, Failure> {
    SignalProducer { observer, _ in
      observer.send(value: value)
      observer.sendCompleted()
    }
  }

  private static let numbers = SignalProducer<Int, Failure>(0..<count)

  /// Emits the number of its start, then fails.
  private static func failing() -> SignalProducer<Int, Failure> {
    let starts = StartCount()
    return SignalProducer { observer, _ in
      observer.send(value: starts.next())
      observer.send(error: Failure(code: 1))
    }
  }

  /// Emits the number of its start, then completes.
  private static func completing() -> SignalProducer<Int, Failure> {
    let starts = StartCount()
    return SignalProducer.deferred { inner(starts.next()) }
  }

  private static let flattened: [Row] =
    [
      ("merge", FlattenStrategy.merge), ("concat", .concat), ("concurrent", .concurrent(limit: 2)), ("latest", .latest),
      ("throttle", .throttle),
    ].flatMap { name, strategy in
      [
        Row(name: "\(name) of known values") {
          numbers.flatMap(strategy) { SignalProducer<Int, Failure>(value: $0) }
        },
        Row(name: "\(name) of work") { numbers.flatMap(strategy) { inner($0) } },
        Row(name: "\(name) of many empty streams") {
          numbers.flatMap(strategy) { _ in SignalProducer<Int, Failure>.empty }.concat(numbers)
        },
      ]
    }

  private static let repeated: [Row] = [
    Row(name: "concat of a collection") { .concat((0..<count).lazy.map { inner($0) }) },
    Row(name: "concat of known values") {
      .concat((0..<count).lazy.map { SignalProducer<Int, Failure>(value: $0) })
    },
    Row(name: "repeat") { completing().repeat(count) },
    Row(name: "repeat for ever") { completing().repeat().take(first: count) },
    Row(name: "retry") { failing().retry(upTo: count).take(first: count) },
    Row(name: "retry for ever") { failing().retry().take(first: count) },
    Row(name: "retry(when:)") { failing().retry { $0.promoteError() }.take(first: count) },
    Row(name: "repeat(when:)") { completing().repeat { $0.promoteError() }.take(first: count) },
    Row(name: "expand") { inner(0).expand { $0 + 1 < count ? inner($0 + 1) : .empty } },
    Row(name: "groups") { numbers.groupBy { $0 }.flatten(.merge) },
    Row(name: "switch") {
      numbers.map { $0 }.flatMap(.concat) { number in
        SignalProducer.switch(inner(1), cases: [1: inner(number)], default: .never)
      }
    },
    Row(name: "race") { .race((1..<count).map { _ in SignalProducer<Int, Failure>.never } + [numbers]) },
  ]

  /// Streams that continue recursively.
  private static let recursive: [Row] = [
    Row(name: "concat with itself") { going(from: 0) { SignalProducer(value: $0).concat($1) } },
    Row(name: "concat of work with itself") { going(from: 0) { inner($0).concat($1) } },
    Row(name: "concat with itself, without end") {
      going(from: 0, to: .max) { inner($0).concat($1) }.take(first: count)
    },
    Row(name: "concat with itself inside another stream") {
      SignalProducer<Int, Failure>(value: 0).map { $0 }.flatMap(.concat) {
        going(from: $0) { inner($0).concat($1) }
      }
    },
    Row(name: "flatMapError with itself") {
      going(from: 0) { number, rest in inner(number).concat(error: Failure(code: 1)).flatMapError { _ in rest } }
    },
    Row(name: "onErrorResumeNext with itself") { going(from: 0) { inner($0).onErrorResumeNext($1) } },
    Row(name: "then with itself") {
      going(from: 0) { number, rest in
        number + 1 < count ? SignalProducer<Int, Failure>.empty.then(rest) : numbers
      }
    },
    Row(name: "switchIfEmpty with itself") {
      going(from: 0) { number, rest in number + 1 < count ? .empty.switchIfEmpty(rest) : numbers }
    },
  ]

  /// Applies `step` to a number and its result for the following numbers.
  private static func going(
    from number: Int, to end: Int = count,
    _ step: @escaping @Sendable (Int, SignalProducer<Int, Failure>) -> SignalProducer<Int, Failure>
  ) -> SignalProducer<Int, Failure> {
    guard number < end else { return .empty }
    return step(number, .deferred { going(from: number + 1, to: end, step) })
  }

  @Test(arguments: flattened + repeated + recursive)
  func `thousands of streams that end at once take no depth`(_ row: Row) {
    let (sum, endings) = onSmallStack {
      var sum = 0
      var endings: [Event<Int, Failure>] = []
      row.producer().start { event in
        if let value = event.value { sum += value } else { endings.append(event) }
      }
      return (sum, endings)
    }
    #expect(sum == Self.count * (Self.count - 1) / 2)
    #expect(endings == [.completed])
  }

  @Test func `a stream that continues with itself keeps nothing of what is over`() {
    let (seen, most) = onSmallStack {
      let steps = Counter()
      var (seen, most) = (0, 0)
      Self.going(from: 0, to: 30_000) { number, rest in
        let step = Life(steps)
        return SignalProducer { observer, _ in
          withExtendedLifetime(step) { observer.send(value: number) }
          observer.sendCompleted()
        }.concat(rest)
      }.startWithResult { _ in
        seen += 1
        most = max(most, steps.present)
      }
      return (seen, most)
    }
    #expect(seen == 30_000)
    #expect(most < 5)
  }

  @Test func `thousands of streams that wait for one are started when it ends`() {
    let log = onSmallStack {
      let (first, input) = Signal<Int, Failure>.pipe()
      var seen = 0
      var log: [String] = []
      SignalProducer<SignalProducer<Int, Failure>, Failure>([first.producer] + (0..<Self.count).map(Self.inner))
        .flatten(.concat).start(.init(value: { _ in seen += 1 }, completed: { log.append("completed") }))
      log.append("\(seen)")
      input.sendCompleted()
      return log + ["\(seen)"]
    }
    #expect(log == ["0", "completed", "\(Self.count)"])
  }
}

/// Counts starts from 0.
private final class StartCount: @unchecked Sendable {
  private var count = 0

  func next() -> Int {
    defer { count += 1 }
    return count
  }
}

import ReactiveCore
import Testing

/// Streams of streams whose observers send into them, or dispose of them, during a delivery.
@Suite(.endsIfItHangs) struct ReentrancyTests {
  /// A network that returns an observer's values to it.
  struct Loop: Sendable, CustomTestStringConvertible {
    let name: String
    let output: @Sendable (Signal<Int, Failure>) -> Signal<Int, Failure>
    var testDescription: String { name }
  }

  private static func known(_ value: Int) -> SignalProducer<Int, Failure> { SignalProducer(value: value) }

  private static func work(_ value: Int) -> SignalProducer<Int, Failure> {
    SignalProducer { observer, _ in
      observer.send(value: value)
      observer.sendCompleted()
    }
  }

  enum Strategy: CaseIterable {
    case merge
    case concat
    case concurrent
    case latest
    case throttle

    var value: FlattenStrategy {
      switch self {
      case .merge: .merge
      case .concat: .concat
      case .concurrent: .concurrent(limit: 2)
      case .latest: .latest
      case .throttle: .throttle
      }
    }
  }

  private static let loops: [Loop] =
    Strategy.allCases.flatMap { strategy in
      [
        Loop(name: "\(strategy) of known values") { $0.flatMap(strategy.value) { known($0) } },
        Loop(name: "\(strategy) of work") { $0.flatMap(strategy.value) { work($0) } },
      ]
    } + [
      Loop(name: "race") { .race($0, .never) },
      Loop(name: "concat") { $0.concat(known(-1)) },
      Loop(name: "concat of signals") { Signal.concat($0, .never) },
      Loop(name: "groups") { $0.groupBy { $0 % 7 }.flatten(.merge) },
      Loop(name: "expand") { $0.expand { _ in .empty } },
      Loop(name: "flatMapError") { $0.flatMapError { _ in known(-1) } },
      Loop(name: "delay(when:)") { $0.delay { _ in known(0) } },
      Loop(name: "retry") { $0.producer.retry(upTo: 3).lift { $0 }.asSignal },
    ]

  private static let last = 3_000

  /// Each number is sent by the observer of the previous one.
  @Test(arguments: loops) func `what an observer sends comes after what it has got, any number of times`(_ loop: Loop) {
    let (count, faults) = onSmallStack {
      let (numbers, input) = Signal<Int, Failure>.pipe()
      var (count, faults) = (0, 0)
      var isInside = false
      let observation = loop.output(numbers).observe(
        .init(value: { number in
          if isInside || number != count { faults += 1 }
          isInside = true
          count += 1
          if number < Self.last { input.send(value: number + 1) }
          isInside = false
        }))
      input.send(value: 0)
      observation?.dispose()
      input.sendCompleted()
      return (count, faults)
    }
    #expect(count == Self.last + 1)
    #expect(faults == 0)
  }

  /// The first value is from an inner stream, so that the outer one is free for the observer's values.
  @Test(arguments: [Strategy.merge, .concurrent, .latest])
  func `an observer of an inner stream may send inner streams any number of times`(_ strategy: Strategy) {
    let count = onSmallStack {
      let (inner, innerInput) = Signal<Int, Failure>.pipe()
      let (outer, outerInput) = Signal<SignalProducer<Int, Failure>, Failure>.pipe()
      var count = 0
      let observation = outer.flatten(strategy.value).observe(
        .init(value: { number in
          if number == count { count += 1 }
          if number < Self.last { outerInput.send(value: Self.work(number + 1)) }
        }))
      outerInput.send(value: inner.producer)
      innerInput.send(value: 0)
      observation?.dispose()
      outerInput.sendCompleted()
      innerInput.sendCompleted()
      return count
    }
    #expect(count == Self.last + 1)
  }
}

extension SignalProducer {
  /// The signal of a run that is started at once.
  fileprivate var asSignal: Signal<Value, Failure> { startWithSignal { signal, _ in signal } }
}

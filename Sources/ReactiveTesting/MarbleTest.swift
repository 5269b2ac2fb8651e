public import Signals

/// The failure in marble diagrams.
public struct MarbleFailure: Error, Hashable, Sendable {
  /// Creates the failure that `#` denotes.
  public init() {}
}

/// A test of an operator drawn as diagrams, in virtual time.
///
/// ```swift
/// let test = MarbleTest()
/// let input = test.signal("ab--c-|")
/// let difference = test.run(input.debounce(1, on: test.scheduler), expecting: "--b--c|")
/// #expect(difference == nil)
/// ```
///
/// Values are the letters themselves unless mapped. Values emitted at an instant precede the timers due then.
public final class MarbleTest {
  /// The clock of the test, which starts at zero.
  public let scheduler = TestScheduler()

  /// The time between two columns.
  public let tick: Duration

  private var longest = 0

  /// A test with a time between two columns.
  public init(tick: Duration = .seconds(1)) { self.tick = tick }

  /// A signal that emits the events of a diagram, whether or not it is observed.
  ///
  /// - Precondition: The diagrams are well-formed.
  public func signal(_ diagram: String) -> Signal<Character, MarbleFailure> {
    signal(diagram) { $0 }
  }

  /// A signal that emits the events of a diagram, each letter mapped by `value`.
  ///
  /// - Precondition: The diagrams are well-formed.
  public func signal<Value>(
    _ diagram: String, value: @escaping (Character) -> Value
  ) -> Signal<Value, MarbleFailure> {
    let (signal, input) = Signal<Value, MarbleFailure>.pipe()
    play(parse(diagram), value, input)
    return signal
  }

  /// A producer whose runs each emit the events of a diagram, counted from the start of the run.
  ///
  /// - Precondition: The diagrams are well-formed.
  public func producer(_ diagram: String) -> SignalProducer<Character, MarbleFailure> {
    let parsed = parse(diagram)
    return SignalProducer { [self] observer, lifetime in lifetime += play(parsed, { $0 }, observer) }
  }

  /// Runs the test; nil if `signal` emitted the expected events, else both diagrams.
  ///
  /// - Precondition: The diagrams are well-formed.
  public func run(
    _ signal: Signal<Character, MarbleFailure>, expecting expected: String
  ) -> MarbleDifference? {
    run(Recorder(signal, on: scheduler), expecting: expected) { $0 }
  }

  /// Runs the test; nil if `signal` emitted the expected events, each letter mapped by `value`.
  ///
  /// - Precondition: The diagrams are well-formed.
  public func run<Value: Equatable>(
    _ signal: Signal<Value, MarbleFailure>, expecting expected: String, value: @escaping (Character) -> Value
  ) -> MarbleDifference? {
    run(Recorder(signal, on: scheduler), expecting: expected, value: value)
  }

  /// Starts a run of `producer` and runs the test; nil if it emitted the expected events.
  ///
  /// - Precondition: The diagrams are well-formed.
  public func run(
    _ producer: SignalProducer<Character, MarbleFailure>, expecting expected: String
  ) -> MarbleDifference? {
    run(Recorder(producer, on: scheduler), expecting: expected) { $0 }
  }

  /// Runs the test; nil if the recorder holds the expected events.
  ///
  /// - Precondition: The diagrams are well-formed.
  public func run<Value: Equatable>(
    _ recorder: Recorder<Value, MarbleFailure>, expecting expected: String,
    value: @escaping (Character) -> Value
  ) -> MarbleDifference? {
    let diagram = parse(expected)
    scheduler.advance(to: .zero + tick * max(longest, diagram.columns.count))
    return MarbleDifference(expected: diagram, recorder.entries, tick, value)
  }

  private func parse(_ diagram: String) -> MarbleDiagram {
    do {
      let parsed = try MarbleDiagram(parsing: diagram)
      longest = max(longest, parsed.columns.count)
      return parsed
    } catch {
      preconditionFailure("\(diagram)\n\(String(repeating: " ", count: error.offset))^ \(error.description)")
    }
  }

  @discardableResult private func play<Value>(
    _ diagram: MarbleDiagram, _ value: @escaping (Character) -> Value,
    _ input: Observer<Value, MarbleFailure>
  ) -> any Disposable {
    let timers = CompositeDisposable()
    let start = scheduler.currentDate
    for (column, mark) in diagram.marks {
      timers += scheduler.schedule(after: start + tick * column) {
        switch mark {
        case .value(let character): input.send(value: value(character))
        case .failed: input.send(error: MarbleFailure())
        case .completed: input.sendCompleted()
        case .interrupted: input.sendInterrupted()
        }
      }
    }
    return timers
  }
}

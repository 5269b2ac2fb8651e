public import Signals

/// A recorder of a signal's events with their times.
public final class Recorder<Value, Failure: Error> {
  /// One event and its time.
  public struct Entry {
    /// The time on the scheduler's clock.
    public let date: Instant
    /// The event.
    public let event: Event<Value, Failure>
  }

  /// The events so far.
  public private(set) var entries: [Entry] = []

  private let scheduler: any DateScheduler
  private var observation: (any Disposable)?

  /// A recorder that reads the time from `scheduler`, without entries.
  public init(on scheduler: any DateScheduler) { self.scheduler = scheduler }

  /// A recorder of a signal from now on.
  public convenience init(_ signal: Signal<Value, Failure>, on scheduler: any DateScheduler) {
    self.init(on: scheduler)
    observation = signal.observe { [weak self] in self?.record($0) }
  }

  /// A recorder of a run that it starts.
  public convenience init(_ producer: SignalProducer<Value, Failure>, on scheduler: any DateScheduler) {
    self.init(on: scheduler)
    observation = producer.start { [weak self] in self?.record($0) }
  }

  deinit { observation?.dispose() }

  /// The events without their times.
  public var events: [Event<Value, Failure>] { entries.map(\.event) }

  /// The values without their times.
  public var values: [Value] { entries.compactMap(\.event.value) }

  /// Ends the observation, or interrupts the run.
  public func dispose() { observation?.dispose() }

  private func record(_ event: Event<Value, Failure>) {
    entries.append(Entry(date: scheduler.currentDate, event: event))
  }
}

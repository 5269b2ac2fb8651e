/// The events of a stream that can be logged.
public enum LoggingEvent {
  /// The events of a signal.
  public enum Signal: String, CaseIterable, Sendable {
    case value, completed, failed, terminated, disposed, interrupted

    /// All kinds.
    public static var allEvents: Set<Signal> { Set(allCases) }
  }

  /// The events of a run of a producer.
  public enum SignalProducer: String, CaseIterable, Sendable {
    case starting, started, value, completed, failed, terminated, disposed, interrupted

    /// All kinds.
    public static var allEvents: Set<SignalProducer> { Set(allCases) }
  }
}

/// A function that logs an event, given the stream's name, the event, and the place of the call of `logEvents`.
public typealias EventLogger = (
  _ identifier: String, _ event: String, _ fileName: String, _ functionName: String, _ lineNumber: Int
) -> Void

/// Prints an event on standard output.
public func defaultEventLog(
  identifier: String, event: String, fileName: String, functionName: String, lineNumber: Int
) {
  print("[\(identifier)] \(event) fileName: \(fileName), functionName: \(functionName), lineNumber: \(lineNumber)")
}

/// The closures that log the chosen events.
private struct EventLog<Kind: RawRepresentable & Hashable> where Kind.RawValue == String {
  let chosen: Set<Kind>
  let write: (_ event: String) -> Void

  func callAsFunction(_ kind: Kind) -> (() -> Void)? {
    guard chosen.contains(kind) else { return nil }
    return { write(kind.rawValue) }
  }

  func callAsFunction<Value>(_ kind: Kind) -> ((Value) -> Void)? {
    guard chosen.contains(kind) else { return nil }
    return { write($0 is Void ? kind.rawValue : "\(kind.rawValue) \($0)") }
  }
}

extension Signal {
  /// All events; those of the chosen kinds are logged before they are emitted.
  ///
  /// - Parameters:
  ///   - identifier: The name of the stream in the log.
  ///   - events: The kinds of events that are written.
  ///   - fileName: The file of the call, which the compiler fills in.
  ///   - functionName: The function of the call, which the compiler fills in.
  ///   - lineNumber: The line of the call, which the compiler fills in.
  ///   - logger: The function that writes an event; by default it prints.
  public func logEvents(
    identifier: String = "", events: Set<LoggingEvent.Signal> = Set(LoggingEvent.Signal.allCases),
    fileName: String = #file, functionName: String = #function, lineNumber: Int = #line,
    logger: @escaping EventLogger = defaultEventLog
  ) -> Signal<Value, Failure> {
    let log = EventLog(chosen: events) { logger(identifier, $0, fileName, functionName, lineNumber) }
    return on(
      failed: log(.failed), completed: log(.completed), interrupted: log(.interrupted), terminated: log(.terminated),
      disposed: log(.disposed), value: log(.value))
  }
}

extension SignalProducer {
  /// All events; those of the chosen kinds are logged before they are emitted.
  ///
  /// - Parameters:
  ///   - identifier: The name of the stream in the log.
  ///   - events: The kinds of events that are written.
  ///   - fileName: The file of the call, which the compiler fills in.
  ///   - functionName: The function of the call, which the compiler fills in.
  ///   - lineNumber: The line of the call, which the compiler fills in.
  ///   - logger: The function that writes an event; by default it prints.
  public func logEvents(
    identifier: String = "", events: Set<LoggingEvent.SignalProducer> = Set(LoggingEvent.SignalProducer.allCases),
    fileName: String = #file, functionName: String = #function, lineNumber: Int = #line,
    logger: @escaping EventLogger = defaultEventLog
  ) -> SignalProducer<Value, Failure> {
    let log = EventLog(chosen: events) { logger(identifier, $0, fileName, functionName, lineNumber) }
    return on(
      starting: log(.starting), started: log(.started), failed: log(.failed), completed: log(.completed),
      interrupted: log(.interrupted), terminated: log(.terminated), disposed: log(.disposed), value: log(.value))
  }
}

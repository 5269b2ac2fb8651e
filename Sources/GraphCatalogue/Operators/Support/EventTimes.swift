import Base
import Expressions
import GraphEngine
import GraphModel
import JSON
import Signals

/// The times that values carry, for lists by them instead of by their arrival.
///
/// Values may arrive in any order, and lists wait for late ones for the lateness; a value that arrives after that is
/// dropped and counted. The terms are those of stream processors: event time, and a watermark that is the lateness
/// behind the newest value.
struct EventTimes {
  private let timestamp: Evaluator
  private let context: OperatorContext
  private let lateness: Duration

  init(_ timestamp: GraphExpression, lateness: Duration, _ context: OperatorContext) {
    self.timestamp = context.evaluator(of: timestamp)
    self.context = context
    self.lateness = lateness
  }

  /// The end of a list that nothing ends; late enough for any other, early enough to be computed with.
  static let never: Int64 = 10_000_000_000_000_000

  /// The length of a list in microseconds; one of no length has the values of one timestamp.
  static func length(_ duration: Duration) -> Int64 { max(1, duration.wholeMicroseconds) }

  /// Returns the time of a value in microseconds since 1970; `nil` if it has none.
  func time(of payload: Payload, refusingTo output: StreamObserver) -> Int64? {
    guard let value = timestamp.first(of: payload, refusingTo: output)?.plain else { return nil }
    if let time = Self.microseconds(value), RFC3339.accepted ~= time { return time }
    let message =
      "\(context.operatorName) takes timestamps from 1970 to 2100, in seconds since 1970 or in RFC 3339, not \(Self.summary(value))"
    context.refuse(.badValue(message), value: payload.value, output)
    return nil
  }

  private static func summary(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
    case .number(let number) where number > 0: "\(value) (divide milliseconds by 1000)"
    case .number: "\(value)"
    default: value.typeWithArticle
    }
  }

  private static func microseconds(_ value: JSONValue) -> Int64? {
    if case .string(let text) = value { return RFC3339.microseconds(of: text) }
    return value.asNumber.flatMap { Int64(exactly: ($0 * 1e6).rounded()) }
  }

  /// Returns the time up to which lists are over, by the time of the newest value.
  func watermark(_ newest: Int64) -> Int64 { newest - lateness.wholeMicroseconds }

  /// Drops a value that no list takes any more.
  func dropLate() { context.signal.drop("\(context.operatorName) dropped a value that arrived too late") }
}

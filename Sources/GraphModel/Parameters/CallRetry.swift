import Base
import Signals

/// The retries of a failed call: their number, the delays before them, and the failures after which they are made.
package struct CallRetry: ParameterValue {
  /// `nil` for any number.
  package let times: Int?
  package let delay: Duration
  /// The growth of the delay with each retry.
  package let backoff: Double
  package let longestDelay: Duration
  /// The failures after which a call is tried again; `nil` where the side that carried it out decides.
  package let reasons: [RetryReason]?

  private static let keys = ["times", "delay", "backoff", "factor", "max_delay", "on"]

  package static let meaning =
    "tries again before a call counts as failed: {times, delay, backoff, max_delay, on}, times a number or forever, the "
    + "delay 1s, the backoff 1; on lists failures: connect, timeout, a status such as 429, or 5xx"

  package static var typeName: String { "a number of times, forever, or {times, delay, backoff, max_delay, on}" }
  package static var shape: ParameterShape { .callRetry }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> CallRetry? {
    guard node.entries != nil else {
      return Self.times(reading.reader(node)).map {
        CallRetry(
          times: $0, delay: .seconds(1), backoff: 1, longestDelay: DurationText.longest, reasons: nil)
      }
    }
    guard let mapping = reading.reader(node).mapping(of: keys) else { return nil }
    let times = mapping.required("times").flatMap { Self.times($0) }
    let delay = mapping.optional("delay").map { $0.duration(in: .zero...DurationText.longest) } ?? .seconds(1)
    let (backoff, factor) = (mapping.optional("backoff"), mapping.optional("factor"))
    let growth =
      (backoff ?? factor).map { factor in factor.number().flatMap { factor.within(1...1000, $0) { "\($0)" } } } ?? 1
    if backoff != nil, let factor {
      reading.reader.problems.error("factor is the old name of backoff: give one of them", at: factor)
    }
    let longest =
      mapping.optional("max_delay").map { $0.duration(in: .milliseconds(1)...DurationText.longest) }
      ?? DurationText.longest
    let reasons = mapping.optional("on").map(RetryReason.list)
    guard let times, let delay, let growth, let longest else { return nil }
    if delay > longest, let longest = mapping.optional("max_delay") {
      reading.reader.problems.error("max_delay is shorter than the delay", at: longest)
      return nil
    }
    if case .some(nil) = reasons { return nil }
    return CallRetry(times: times, delay: delay, backoff: growth, longestDelay: longest, reasons: reasons ?? nil)
  }

  /// Returns the failures to retry after that calls of an action never have, as written.
  package func impossibleReasons(of action: ActionReference) -> [String] {
    (reasons ?? []).filter { !$0.occurs(in: action.task) }.map(\.text)
  }

  /// Reads a number of times; `.some(nil)` for any number.
  private static func times(_ reader: Reader) -> Int?? {
    if let text = reader.node.scalar?.text {
      if text == "forever" { return .some(nil) }
      if text.first?.isLetter == true {
        reader.refuse(
          expected: "a number of times, or forever", suggestion: Suggestion.likely(for: text, among: ["forever"]))
        return nil
      }
    }
    return reader.int(in: 1...100_000).map { .some($0) }
  }
}

/// A kind of failure after which a call is tried again.
package enum RetryReason: Equatable, Sendable {
  /// The connection failed or broke.
  case connect
  case timeout
  case status(Int32)
  /// The statuses that begin with a digit, such as 5xx.
  case statuses(Int32)

  /// The greatest exit status of a program.
  private static let greatestStatus: Int32 = 255

  /// Indicates that calls of an action may fail so; programs have an exit status, and methods have no status.
  fileprivate func occurs(in task: ActionTaskKey?) -> Bool {
    switch (self, task) {
    case (.timeout, _), (_, .http), (_, .adapter), (_, nil): true
    case (.connect, _), (_, .dbus): false
    case (.status(let status), .exec): status <= Self.greatestStatus
    case (.statuses(let digit), .exec): digit * 100 <= Self.greatestStatus
    }
  }

  fileprivate var text: String {
    switch self {
    case .connect: "connect"
    case .timeout: "timeout"
    case .status(let status): "\(status)"
    case .statuses(let digit): "\(digit)xx"
    }
  }

  static func list(_ reader: Reader) -> [RetryReason]? {
    guard let elements = reader.list() else { return nil }
    let reasons = elements.compactMap(read)
    if reasons.isEmpty, elements.isEmpty { reader.refuse(expected: "at least one failure") }
    return reasons.count == elements.count && !reasons.isEmpty ? reasons : nil
  }

  private static func read(_ reader: Reader) -> RetryReason? {
    guard let text = reader.text() else { return nil }
    switch text {
    case "connect": return .connect
    case "timeout": return .timeout
    default: break
    }
    if let status = Int32(text), 100...599 ~= status { return .status(status) }
    if text.utf8.count == 3, text.hasSuffix("xx"), let digit = Int32(text.prefix(1)), 1...5 ~= digit {
      return .statuses(digit)
    }
    reader.refuse(
      expected: "connect, timeout, a status such as 429, or a class of them such as 5xx",
      suggestion: Suggestion.likely(for: text, among: ["connect", "timeout"]))
    return nil
  }
}

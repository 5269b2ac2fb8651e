internal import JSON
internal import Linux
internal import WireProtocol

/// A command as it was called.
struct Invocation {
  static let defaultSocket = "/run/signalbox/signalbox.sock"

  let command: Command
  let arguments: ParsedArguments
  let output: Output

  var operands: [String] { arguments.operands }
  var isJSON: Bool { has("json") }

  /// Whether an option was given.
  func has(_ option: String) -> Bool { arguments.has(option) }

  /// The argument of an option as it was given.
  func text(_ option: String) -> String? { arguments.argument(of: option) }

  var socketPath: String {
    text("socket") ?? CurrentProcess.environment("SIGNALBOX_SOCKET") ?? Self.defaultSocket
  }

  func connect() throws(CommandError) -> Connection {
    try Connection(path: socketPath, output: output, echoesLines: isJSON)
  }

  /// Asks the daemon one thing.
  ///
  /// - Returns: the answer to print; `nil` if it has been printed as JSON.
  func ask(_ request: some WireRequest) throws(CommandError) -> ServerLine? {
    let answer = try connect().ask(request)
    return isJSON ? nil : answer
  }

  /// The end of the time that an option gives.
  func deadline(_ option: String) throws(CommandError) -> MonotonicInstant? {
    let interval: Interval? = try self.option(option)
    return interval.map { MonotonicInstant.now() + $0.duration }
  }

  /// The operands, if their number is right.
  func operands(_ count: ClosedRange<Int>) throws(CommandError) -> [String] {
    if count ~= operands.count { return operands }
    let problem = operands.count < count.lowerBound ? "something is missing" : "that is too much"
    throw .usage("\(problem): \(command.usage)")
  }

  /// The argument of an option, read as the request's field would be.
  func option<Value: FieldValue>(_ name: String, _ type: Value.Type = Value.self) throws(CommandError) -> Value? {
    guard let text = text(name) else { return nil }
    if let value = Value(field: RawJSON(validated: JSONValue.string(text).json)) { return value }
    if let number = UInt64(text), let value = Value(field: RawJSON(validated: Array(String(number).utf8))) {
      return value
    }
    throw .usage("--\(name) must be \(Value.expectation), not \(text)")
  }

  /// A signal's name or a pattern among the operands.
  func pattern(_ text: String) throws(CommandError) -> SignalPattern {
    if let pattern = SignalPattern(text) { return pattern }
    throw .usage("\(text) is not \(SignalPattern.expectation)")
  }
}

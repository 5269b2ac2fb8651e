internal import JSON
internal import Linux
internal import WireProtocol

/// A command with its parsed arguments.
struct Invocation {
  let command: Command
  let arguments: ParsedArguments
  let output: Output

  var operands: [String] { arguments.operands }
  var isJSON: Bool { has("json") }

  /// Indicates that an option was given.
  func has(_ option: String) -> Bool { arguments.has(option) }

  /// Returns the argument of an option as given.
  func text(_ option: String) -> String? { arguments.argument(of: option) }

  var socketPath: String { SocketPath.ofDaemon(option: text("socket")) }

  func connect() throws(CommandError) -> Connection {
    try Connection(path: socketPath, output: output, echoesLines: isJSON)
  }

  /// Sends a single request to the daemon.
  ///
  /// - Returns: The answer to print; `nil` if it has been printed as JSON.
  func ask(_ request: some WireRequest) throws(CommandError) -> ServerLine? {
    let answer = try connect().ask(request)
    return isJSON ? nil : answer
  }

  /// Returns the deadline for the duration in an option.
  func deadline(_ option: String) throws(CommandError) -> MonotonicInstant? {
    let interval: Interval? = try self.option(option)
    return interval.map { MonotonicInstant.now() + $0.duration }
  }

  /// Returns the operands after checking their number.
  func operands(_ count: ClosedRange<Int>) throws(CommandError) -> [String] {
    if count ~= operands.count { return operands }
    let problem = operands.count < count.lowerBound ? "missing operand" : "unexpected operand"
    throw .usage("\(problem); usage: \(command.usage)")
  }

  /// Returns the argument of an option, parsed like the field of a request.
  func option<Value: FieldValue>(_ name: String, _ type: Value.Type = Value.self) throws(CommandError) -> Value? {
    guard let text = text(name) else { return nil }
    if let value = Value(field: RawJSON(validated: JSONValue.string(text).json)) { return value }
    if let number = UInt64(text), let value = Value(field: RawJSON(validated: Array(String(number).utf8))) {
      return value
    }
    throw .usage("--\(name) must be \(Value.expectation(insteadOf: text)), not \(text)")
  }

  /// Parses an operand as the name of a signal or a pattern.
  func pattern(_ text: String) throws(CommandError) -> SignalPattern {
    if let pattern = SignalPattern(text) { return pattern }
    throw .usage("\(text) is not \(SignalPattern.expectation)")
  }
}

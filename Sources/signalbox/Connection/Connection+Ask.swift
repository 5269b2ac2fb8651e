internal import JSON
internal import WireProtocol

extension Connection {
  /// Sends a request and waits for its answer.
  ///
  /// - Throws: the daemon's refusal, with the exit status that belongs to it.
  func ask(_ request: some WireRequest) throws(CommandError) -> ServerLine {
    let id = try send(request)
    while let line = try next() {
      guard case .reply = line.kind, line.id == id || line.id == nil else { continue }
      if let failure = line.failure { throw failure }
      return line
    }
    throw CommandError(.internal, "waiting ended without an answer")
  }
}

extension ServerLine {
  /// The refusal in this line, if it is an error.
  var failure: CommandError? { kind == .reply("error") ? CommandError(status, message) : nil }

  /// The text of an error, of a reply or of a signal's failure.
  var message: String {
    if case .string(let text)? = error?["message"]?.plain { return text }
    return "the daemon gives no reason"
  }

  /// The kind of a refusal; `nil` for a code that is not known here.
  var errorCode: ErrorCode? {
    guard case .string(let code)? = error?["code"]?.plain else { return nil }
    return ErrorCode(rawValue: code)
  }

  private var status: ExitStatus { ExitStatus(errorCode) }

  /// All members, as a client that knows nothing of them sees them.
  var object: JSONObject {
    guard case .object(let object) = RawJSON(validated: text).value else { return JSONObject() }
    return object
  }

  func number(_ key: String) -> Int? {
    guard case .number(let number)? = self[key]?.value.plain else { return nil }
    return Int(exactly: number)
  }

  /// The elements of a member that is an array of objects.
  func objects(_ key: String) -> [JSONObject] {
    guard case .array(let elements)? = self[key]?.value else { return [] }
    return elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }

  /// The elements of a member that is an array of strings.
  func strings(_ key: String) -> [String] {
    guard case .array(let elements)? = self[key]?.value else { return [] }
    return elements.compactMap { if case .string(let string) = $0.plain { string } else { nil } }
  }
}

extension JSONObject {
  /// A member as a person reads it; nothing where there is none.
  func text(_ key: String) -> String {
    self[key]?.plainText ?? ""
  }
}

extension JSONValue {
  /// As a person reads it: a string as it is, anything else as JSON.
  var plainText: String {
    if case .string(let string) = plain { string } else { plain.description }
  }
}

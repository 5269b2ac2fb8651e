package import JSON

extension ServerLine {
  /// True if it refuses a request.
  package var isRefusal: Bool { kind == .reply("error") }

  /// The message of an error, in a reply or a signal's failure; its code where it has none.
  package var message: String {
    if case .string(let text)? = error?["message"]?.plain, !text.isEmpty { return text }
    if case .string(let code)? = error?["code"]?.plain, !code.isEmpty { return code }
    return "no reason given by the daemon"
  }

  /// The code of a refusal; `nil` for an unknown one.
  package var errorCode: ErrorCode? {
    guard case .string(let code)? = error?["code"]?.plain else { return nil }
    return ErrorCode(rawValue: code)
  }

  /// All members, for clients that do not interpret them.
  package var object: JSONObject {
    guard case .object(let object) = RawJSON(validated: text).value else { return JSONObject() }
    return object
  }

  package func number(_ key: String) -> Int? {
    guard case .number(let number)? = self[key]?.value.plain else { return nil }
    return Int(exactly: number)
  }

  /// The elements of a member that is an array of objects.
  package func objects(_ key: String) -> [JSONObject] {
    guard case .array(let elements)? = self[key]?.value else { return [] }
    return elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }

  /// The elements of a member that is an array of strings.
  package func strings(_ key: String) -> [String] {
    guard case .array(let elements)? = self[key]?.value else { return [] }
    return elements.compactMap { if case .string(let string) = $0.plain { string } else { nil } }
  }
}

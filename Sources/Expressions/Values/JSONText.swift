internal import JSON

/// The JSON text of a value, for `tojson` and string interpolation.
struct JSONText {
  private var writer = JSONWriter()
  private let limit: Int

  private init(limit: Int) { self.limit = limit }

  /// Returns the text, or `nil` beyond the limit.
  static func make(of value: JSONValue, limit: Int) -> String? {
    var text = JSONText(limit: limit)
    guard text.write(value) else { return nil }
    return text.json
  }

  /// Returns the text, truncated to the limit.
  static func start(of value: JSONValue, limit: Int) -> String {
    var text = JSONText(limit: limit)
    _ = text.write(value)
    return text.json
  }

  private var json: String {
    let json = String(decoding: writer.bytes, as: UTF8.self)
    return json.utf8.contains(Self.delete) ? Escaping.replace(json) { $0 == Self.delete ? "\\u007f" : nil } : json
  }

  /// The control character that jq escapes though JSON does not require it.
  private static let delete: UInt8 = 0x7F

  /// Returns the text within the bounds of an evaluation.
  static func make(of value: JSONValue, _ environment: Environment) throws(ExpressionError) -> String {
    guard let text = make(of: value, limit: environment.account.limits.bytes) else { throw Environment.tooLarge }
    try environment.charge(characters: text.utf8.count)
    return text
  }

  /// Returns the result of `tostring`: a string unchanged, else JSON.
  static func string(of value: JSONValue, _ environment: Environment) throws(ExpressionError) -> String {
    if let text = value.asString { return text }
    return try make(of: value, environment)
  }

  /// Writes a value; false beyond the limit.
  private mutating func write(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let items): return write(items)
    case .object(let object): return write(object)
    case .verbatim(let verbatim): return write(verbatim)
    case .string(let text) where text.utf8.count > limit:
      writer.write(.string(String(text.unicodeScalars.prefix(limit))))
      return false
    default:
      writer.write(value)
      return writer.bytes.count <= limit
    }
  }

  /// Writes an integer of any length with its digits; other numbers and strings in the usual form.
  private mutating func write(_ verbatim: Verbatim) -> Bool {
    let isInteger = verbatim.text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    guard case .number = verbatim.value, isInteger else { return write(verbatim.value) }
    writer.bytes.append(contentsOf: verbatim.text.utf8)
    return writer.bytes.count <= limit
  }

  private mutating func write(_ items: [JSONValue]) -> Bool {
    writer.bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { writer.bytes.append(UInt8(ascii: ",")) }
      guard write(item) else { return false }
    }
    writer.bytes.append(UInt8(ascii: "]"))
    return writer.bytes.count <= limit
  }

  private mutating func write(_ object: JSONObject) -> Bool {
    writer.bytes.append(UInt8(ascii: "{"))
    for (index, member) in object.members.enumerated() {
      if index > 0 { writer.bytes.append(UInt8(ascii: ",")) }
      writer.write(.string(member.key))
      writer.bytes.append(UInt8(ascii: ":"))
      guard write(member.value) else { return false }
    }
    writer.bytes.append(UInt8(ascii: "}"))
    return writer.bytes.count <= limit
  }
}

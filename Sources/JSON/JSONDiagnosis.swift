/// A second, plain reading of a refused text, to find the fault.
///
/// Excessive depth takes precedence over everything else, a syntax error over an invalid value: a text that violates
/// the grammar is not JSON, whatever precedes the error. The members before the fault are recorded, for an answer that
/// names its request.
struct JSONDiagnosis: ~Copyable {
  let text: UnsafeBufferPointer<UInt8>
  var index = 0
  var badValue: JSONError?
  /// The complete members of the text's outermost object.
  var members: [JSONMember] = []

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  static func fault(in text: UnsafeBufferPointer<UInt8>, maximumDepth: Int) -> JSONError {
    if let tooDeep = nestingFault(in: text, maximumDepth: maximumDepth) { return tooDeep }
    var diagnosis = JSONDiagnosis(text)
    do {
      try diagnosis.readText()
    } catch {
      return error
    }
    return diagnosis.badValue
      ?? JSONError(.syntax, offset: 0, "out of memory in the parser")
  }

  /// Counts the brackets outside of strings, whether or not they match.
  private static func nestingFault(in text: UnsafeBufferPointer<UInt8>, maximumDepth: Int) -> JSONError? {
    var depth = 0
    var index = 0
    var isInString = false
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if !isInString { depth += 1 }
        if depth > maximumDepth {
          return JSONError(.tooDeep, offset: index, "nested deeper than \(maximumDepth) levels")
        }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if !isInString { depth = max(0, depth - 1) }
      default: break
      }
      index += 1
    }
    return nil
  }

  mutating func readText() throws(JSONError) {
    skipSpace()
    try readValue(isOutermost: true)
    skipSpace()
    if index < text.count { throw unexpected("the end of the line") }
  }

  private mutating func readValue(isOutermost: Bool = false) throws(JSONError) {
    switch current ?? 0 {
    case UInt8(ascii: "{"): try readObject(isOutermost: isOutermost)
    case UInt8(ascii: "["): try readArray()
    case UInt8(ascii: "\""): try readString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
    case UInt8(ascii: "t"): try readWord("true")
    case UInt8(ascii: "f"): try readWord("false")
    case UInt8(ascii: "n"): try readWord("null")
    default: throw unexpected("a value")
    }
  }

  private mutating func readObject(isOutermost: Bool) throws(JSONError) {
    index += 1
    skipSpace()
    if skip(UInt8(ascii: "}")) { return }
    repeat {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
      let keyStart = index + 1
      try readString()
      let key = keyStart..<(index - 1)
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw unexpected("\":\"") }
      skipSpace()
      let valueStart = index
      try readValue()
      if isOutermost { members.append(JSONMember(key: key, value: valueStart..<index)) }
      skipSpace()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw unexpected("\",\" or \"}\"") }
  }

  private mutating func readArray() throws(JSONError) {
    index += 1
    skipSpace()
    if skip(UInt8(ascii: "]")) { return }
    repeat {
      skipSpace()
      try readValue()
      skipSpace()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw unexpected("\",\" or \"]\"") }
  }

  private mutating func readWord(_ word: StaticString) throws(JSONError) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard skip(word.utf8Start[offset]) else { throw unexpected("\"\(word)\"") }
    }
  }

  private mutating func skipSpace() {
    while let current, [0x20, 0x09, 0x0A, 0x0D].contains(current) { index += 1 }
  }

  var current: UInt8? { index < text.count ? text[index] : nil }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    index += 1
    return true
  }

  func unexpected(_ expected: String) -> JSONError {
    let found =
      switch current {
      case nil: "the text ends"
      case .some(let byte) where 0x21..<0x7F ~= byte: "found \"\(Character(UnicodeScalar(byte)))\""
      case .some(let byte): "found byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
      }
    return JSONError(.syntax, offset: index, "expected \(expected), \(found)")
  }
}

/// Returns the members of a refused text with correct grammar and an invalid value.
package func membersOfRefused(_ text: Span<UInt8>) -> [JSONMember] {
  text.withUnsafeBufferPointer { text in
    var diagnosis = JSONDiagnosis(text)
    do { try diagnosis.readText() } catch { return [] }
    return diagnosis.members
  }
}

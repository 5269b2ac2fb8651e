import GraphModel

/// Writes a tree as YAML that parses to an equal tree.
struct YAMLText {
  /// Returns the text of an expression that replaces a node.
  private let expression: (ConfigNode) -> String?

  /// The maximum column of a small list or mapping on one line.
  private static let width = 100
  /// YAML's limit for an implicit key.
  private static let longestKey = 1000

  init(expression: @escaping (ConfigNode) -> String? = { _ in nil }) { self.expression = expression }

  func text(of node: ConfigNode) -> String { lines(of: node).map { $0 + "\n" }.joined() }

  private func lines(of node: ConfigNode) -> [String] {
    if let expression = expression(node) { return Self.string(expression) }
    switch node.content {
    case .scalar(let scalar): return Self.lines(of: scalar)
    case .sequence(let elements):
      return flow(node).map { [$0] } ?? elements.flatMap { Self.hang("-", lines(of: $0)) }
    case .mapping(let entries): return flow(node).map { [$0] } ?? entries.flatMap(lines)
    }
  }

  private func lines(of entry: ConfigNode.Entry) -> [String] {
    let key = Self.key(entry.key)
    let value = lines(of: entry.value)
    if key.utf8.count > Self.longestKey { return ["? \(key)"] + Self.hang(":", value) }
    // A mapping or a list on several lines follows below its key, as do all but the first line of a text.
    let isCollection = entry.value.scalar == nil && expression(entry.value) == nil && flow(entry.value) == nil
    if isCollection { return ["\(key):"] + value.map { "  \($0)" } }
    let first = value[0].isEmpty ? "\(key):" : "\(key): \(value[0])"
    return [first] + value.dropFirst().map { $0.isEmpty ? "" : "  \($0)" }
  }

  /// Indents lines behind a sign, which replaces the indentation of the first line.
  private static func hang(_ sign: String, _ lines: [String]) -> [String] {
    lines.enumerated().map { index, line in
      line.isEmpty ? (index == 0 ? sign : "") : (index == 0 ? "\(sign) \(line)" : "  \(line)")
    }
  }

  // MARK: On one line

  /// Returns a list or a mapping in flow style: an empty one, or one of a few scalars.
  private func flow(_ node: ConfigNode) -> String? {
    switch node.content {
    case .scalar: return nil
    case .sequence(let elements):
      return joined(elements.map(flowScalar), in: ("[", "]"))
    case .mapping(let entries):
      return joined(
        entries.map { entry in
          let key = Self.key(entry.key)
          let isPlain = key == entry.key.scalar?.text
          guard key.utf8.count <= Self.longestKey, !isPlain || key.utf8.allSatisfy(\.isSafeInFlow) else { return nil }
          return flowScalar(entry.value).map { "\(key): \($0)" }
        }, in: ("{", "}"))
    }
  }

  private func joined(_ parts: [String?], in brackets: (String, String)) -> String? {
    let whole = parts.compactMap(\.self)
    guard whole.count == parts.count else { return nil }
    let text = brackets.0 + whole.joined(separator: ", ") + brackets.1
    return text.utf8.count <= Self.width ? text : nil
  }

  private func flowScalar(_ node: ConfigNode) -> String? {
    let lines: [String]
    if let expression = expression(node) {
      lines = Self.string(expression)
    } else {
      guard let scalar = node.scalar, scalar.tag == nil else { return nil }
      lines = Self.lines(of: scalar)
    }
    guard lines.count == 1, let line = lines.first, let first = line.utf8.first else { return nil }
    let isQuoted = first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
    return isQuoted || line.utf8.allSatisfy(\.isSafeInFlow) ? line : nil
  }

  // MARK: Scalars

  private static func lines(of scalar: Scalar) -> [String] {
    if let tag = scalar.tag {
      let text = tag == .string || !isPlain(scalar.text) ? quoted(scalar.text) : scalar.text
      return ["!!\(tag.rawValue) \(text)"]
    }
    if scalar.isAbsent { return [""] }
    guard scalar.style == .plain else { return block(scalar.text) ?? [quoted(scalar.text)] }
    // A plain scalar that is not a string never needs quotes.
    return isPlain(scalar.text) ? [scalar.text] : block(scalar.text) ?? [quoted(scalar.text)]
  }

  /// Returns a string, quoted if necessary.
  private static func string(_ text: String) -> [String] {
    if let block = block(text) { return block }
    return [isPlain(text) && CoreSchema.isString(text) ? text : quoted(text)]
  }

  private static func key(_ key: ConfigNode) -> String {
    guard let scalar = key.scalar else { return "" }
    return isPlain(scalar.text) && scalar.text != "<<" ? scalar.text : quoted(scalar.text)
  }

  /// Checks that a text parses as itself without quotes, on one line and outside brackets.
  private static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, first != UInt8(ascii: " "), last != UInt8(ascii: " "),
      last != UInt8(ascii: ":"), !"?:,[]{}#&*!|>'\"%@`".utf8.contains(first)
    else { return false }
    // "- x" is a list item and "---" a document separator; "-5" and "-x" are neither.
    if first == UInt8(ascii: "-"), bytes.count == 1 || !(bytes[1].isLetterOrDigit || bytes[1] == UInt8(ascii: ".")) {
      return false
    }
    if text.hasPrefix("...") { return false }
    return isPrintable(text) && !text.contains(": ") && !text.contains(" #")
  }

  /// Returns a literal block; `nil` for a text that a block cannot represent.
  private static func block(_ text: String) -> [String]? {
    guard text.utf8.contains(UInt8(ascii: "\n")), text.utf8.first != UInt8(ascii: "\n") else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let endsLine = lines.last == ""
    if endsLine { lines.removeLast() }
    let fits = lines.allSatisfy { isPrintable($0) && $0.utf8.last != UInt8(ascii: " ") }
    guard fits, lines.last != "", lines.first?.utf8.first != UInt8(ascii: " ") else { return nil }
    return [endsLine ? "|" : "|-"] + lines
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
      default: false
      }
    }
  }

  /// Prefers single quotes, where a `\` is literal.
  private static func quoted(_ text: String) -> String {
    if isPrintable(text) {
      return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where isPrintable(String(scalar)): result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return result + "\""
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  /// True for a byte without a meaning between brackets.
  fileprivate var isSafeInFlow: Bool { !",[]{}:#?".utf8.contains(self) }
}

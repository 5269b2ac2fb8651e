import Base

extension SystemdUnit: ParameterValue {
  package static var typeName: String { "the name of a systemd unit" }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { name }

  private static let longest = 255

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SystemdUnit? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    if reader.isOpen { return SystemdUnit(name: text) }
    guard !text.isEmpty, text.utf8.count <= longest, text.utf8.allSatisfy(isAllowed) else {
      reader.refuse(expected: "\(typeName), as in nginx.service: letters, digits, and :-_.\\@")
      return nil
    }
    let dot = text.lastIndex(of: ".")
    let (stem, type) = (dot.map { text[..<$0] } ?? text[...], dot.map { String(text[$0...].dropFirst()) } ?? "")
    guard types.contains(type), !stem.isEmpty else {
      // The word after the last dot may be a misspelt type, or a part of a name without one.
      let meant = Suggestion.likely(for: type, among: types).map { "\(stem).\($0)" }
      reader.problems.error(
        "a unit name must end with its type, one of .\(types.joined(separator: ", ."))", at: node,
        suggestion: meant ?? "\(text).service")
      return nil
    }
    if stem.hasSuffix("@") {
      reader.problems.error(
        "\"\(text)\" is a template: only its instances have a state", at: node,
        suggestion: "\(stem)INSTANCE.\(type)")
      return nil
    }
    return SystemdUnit(name: text)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || ":-_.\\@".utf8.contains(byte)
  }
}

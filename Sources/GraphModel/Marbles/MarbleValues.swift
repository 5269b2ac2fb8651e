package import JSON
import ReactiveTesting

/// The values of the letters in a test's diagrams: those in `values`, else those implied by the letters.
package struct MarbleValues: Sendable {
  private var table: [Character: JSONValue] = [:]
  /// The failure for `#`.
  package var failure = SignalFailure(code: "error", message: "")

  package init() {}

  /// Reads `values`, with single letters or digits as keys.
  package mutating func read(_ reader: Reader) {
    for entry in reader.entries() ?? [] {
      guard let letter = entry.name.first, entry.name.count == 1, letter.isLetter || letter.isNumber else {
        reader.problems.error("invalid letter \"\(entry.name)\" for a diagram: use one letter or digit", at: entry.key)
        continue
      }
      table[letter] = reader.context.reader(entry.value).literal()
    }
  }

  package func value(of letter: Character) -> JSONValue {
    if let value = table[letter] { return value }
    if letter.isASCII, let digit = letter.wholeNumberValue { return .number(Double(digit)) }
    switch letter {
    case "t": return true
    case "f": return false
    default: return .string(String(letter))
    }
  }

  package func has(_ letter: Character) -> Bool { table[letter] != nil }

  /// Returns the letter of a value, if there is one.
  package func letter(for value: JSONValue) -> Character? {
    if let letter = table.filter({ $0.value == value }).keys.min() { return letter }
    guard let letter = Self.suggested(by: value) else { return nil }
    return self.value(of: letter) == value ? letter : nil
  }

  /// Returns the default letter of a value.
  private static func suggested(by value: JSONValue) -> Character? {
    switch value.plain {
    case .bool(let isTrue): isTrue ? "t" : "f"
    case .number(let number) where (0...9).contains(number) && number.rounded() == number: Character("\(Int(number))")
    case .string(let text) where text.count == 1: text.first.flatMap { $0.isLetter ? $0 : nil }
    default: nil
    }
  }
}

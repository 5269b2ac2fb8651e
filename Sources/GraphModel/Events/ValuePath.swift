import JSON

/// The place of a part within a value, written as in an expression: `.readings[3].celsius`.
struct ValuePath: CustomStringConvertible {
  enum Step {
    case field(String)
    case item(Int)
  }

  /// From the innermost to the outermost.
  private var steps: [Step] = []

  var isEmpty: Bool { steps.isEmpty }

  /// Makes it the path within the value that has this part.
  mutating func enclose(in step: Step) { steps.append(step) }

  var description: String {
    let text = steps.reversed().map { step in
      switch step {
      case .field(let name) where Self.isWord(name): ".\(name)"
      case .field(let name): "[\(JSONValue.string(name))]"
      case .item(let index): "[\(index)]"
      }
    }.joined()
    return text.hasPrefix("[") ? "." + text : text
  }

  /// Checks for a name that needs no quotes behind its dot.
  private static func isWord(_ name: String) -> Bool {
    name.first?.isNumber == false && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

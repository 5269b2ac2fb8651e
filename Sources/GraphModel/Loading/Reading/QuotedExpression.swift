extension ConfigNode {
  /// The expression probably intended by a mapping or a sequence, in quotes.
  var quotedExpression: String {
    let text = flowText
    if text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
    return "\"\(text)\""
  }

  /// The node on one line in jq notation: `{a: .x, b}`.
  private var flowText: String {
    switch content {
    case .scalar(let scalar): scalar.flowText
    case .sequence(let elements): "[" + elements.map(\.flowText).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{"
        + entries.map { entry in
          entry.value.scalar?.isAbsent == true ? entry.key.flowText : "\(entry.key.flowText): \(entry.value.flowText)"
        }.joined(separator: ", ") + "}"
    }
  }
}

extension Scalar {
  /// Quoted text was intended as a string of the expression and stays one.
  fileprivate var flowText: String {
    guard style == .singleQuoted || style == .doubleQuoted else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

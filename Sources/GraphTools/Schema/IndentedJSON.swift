import JSON

/// Indented JSON: one member per line, short lists and objects on one line.
enum IndentedJSON {
  private static let width = 100

  static func text(of value: JSONValue, indentation: String = "") -> String {
    let short = value.description
    if indentation.count + short.count <= width { return short }
    let inner = indentation + "  "
    switch value.plain {
    case .array(let elements):
      return block("[", elements.map { inner + text(of: $0, indentation: inner) }, "\(indentation)]")
    case .object(let object):
      let members = object.members.map { member in
        "\(inner)\(JSONValue.string(member.key)): \(text(of: member.value, indentation: inner))"
      }
      return block("{", members, "\(indentation)}")
    default: return short
    }
  }

  private static func block(_ open: String, _ lines: [String], _ close: String) -> String {
    "\(open)\n\(lines.joined(separator: ",\n"))\n\(close)"
  }
}

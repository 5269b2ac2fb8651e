internal import JSON

/// The metric of a signal with its series, as the daemon's statistics have it.
struct DeclaredFamily {
  let name: String
  let kind: String
  let help: String
  let unit: String?
  let labels: [String]
  let series: [(labels: [String], number: String)]

  init(_ family: JSONObject) {
    name = family.text("name")
    kind = family.text("type")
    help = family.text("help")
    unit = family["unit"] == nil ? nil : family.text("unit")
    labels = family.list("labels").map(Self.text)
    series = family.list("series").compactMap { sample in
      guard case .array(let parts) = sample.plain, parts.count == 2, case .array(let values) = parts[0].plain
      else { return nil }
      return (values.map(Self.text), Self.number(parts[1]))
    }
  }

  private static func text(_ value: JSONValue) -> String {
    if case .string(let text) = value.plain { text } else { "" }
  }

  private static func number(_ value: JSONValue) -> String {
    if case .string(let word) = value.plain { word } else { value.description }
  }
}

extension JSONObject {
  /// Returns the elements of a list, or none.
  func list(_ key: String) -> [JSONValue] {
    if case .array(let elements)? = self[key]?.plain { elements } else { [] }
  }
}

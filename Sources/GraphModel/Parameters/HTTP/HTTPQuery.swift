package import JSON

/// A query that is no expression.
package struct HTTPQuery: ParameterValue {
  package let members: JSONObject

  package static var typeName: String { "texts, numbers, booleans, and lists of these, by their names" }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> HTTPQuery? {
    guard let entries = reading.reader(node).entries() else { return nil }
    var members = JSONObject()
    for entry in entries {
      guard let value = reading.reader(entry.value).literal() else { return nil }
      let elements: [JSONValue] = if case .array(let elements) = value.plain { elements } else { [value] }
      let isRight = elements.allSatisfy { element in
        switch element.plain {
        case .string, .number, .bool: true
        default: false
        }
      }
      guard isRight else {
        reading.reader.problems.error(
          "expected a text, a number, a boolean or a list of these, found \(entry.value.summary)", at: entry.value)
        return nil
      }
      members[entry.name] = value
    }
    return HTTPQuery(members: members)
  }
}

/// Headers that are no expressions.
package struct HTTPHeaders: ParameterValue {
  package let values: JSONObject

  package static var typeName: String { "texts by the names of headers" }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> HTTPHeaders? {
    guard let entries = reading.reader(node).entries() else { return nil }
    var values = JSONObject()
    for entry in entries {
      if let problem = HeaderRules.problem(inName: entry.name, isComputed: true) {
        reading.reader.problems.error(problem, at: entry.key)
        return nil
      }
      guard let value = reading.reader(entry.value).text() else { return nil }
      if let problem = HeaderRules.problem(inValue: value) {
        reading.reader.problems.error(problem, at: entry.value)
        return nil
      }
      values[entry.name] = .string(value)
    }
    return HTTPHeaders(values: values)
  }
}

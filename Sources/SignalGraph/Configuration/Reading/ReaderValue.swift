package import JSON

extension Reader {
  /// Any value, as JSON: numbers keep the text in which they were written, `${…}` is replaced.
  package func value() -> JSONValue? {
    switch node.content {
    case .scalar: return resolved(expected: "a value")?.value
    case .sequence(let elements):
      let values = elements.map { Reader($0, context).value() }
      return values.contains { $0 == nil } ? nil : .array(values.compactMap(\.self))
    case .mapping(let entries): return object(entries)
    }
  }

  private func object(_ entries: [ConfigNode.Entry]) -> JSONValue? {
    var object = JSONObject()
    var isWhole = true
    for entry in entries {
      guard let value = Reader(entry.value, context).value() else {
        isWhole = false
        continue
      }
      object[entry.name] = value
    }
    return isWhole ? .object(object) : nil
  }
}

extension ConfigNode {
  /// The node as it was declared, as JSON: every `${…}` stays as it was written.
  package var declaration: JSONValue {
    switch content {
    case .scalar(let scalar): return (try? CoreSchema.resolve(scalar.text, as: scalar).get()) ?? .string(scalar.text)
    case .sequence(let elements): return .array(elements.map(\.declaration))
    case .mapping(let entries):
      var object = JSONObject()
      for entry in entries { object[entry.name] = entry.value.declaration }
      return .object(object)
    }
  }
}

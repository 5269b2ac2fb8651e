package import JSON

extension Reader {
  /// Reads any value as JSON: numbers keep their notation, `${…}` is replaced.
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

extension ReadingContext {
  /// Returns a node as declared, with the parameters of templates replaced.
  package func declaration(of node: ConfigNode) -> JSONValue { node.declaration(expression(at:)) }

  /// Returns a node with every known `${…}` replaced, for comparing declarations across a reload.
  ///
  /// Reports nothing, since the readers of the node have done so.
  package func expanded(_ node: ConfigNode) -> JSONValue {
    if let expression = expression(at: node) { return .string(expression) }
    switch node.content {
    case .scalar(let scalar):
      let text = (try? replacements.expand(scalar.text)) ?? scalar.text
      return (try? CoreSchema.resolve(text, as: scalar).get()) ?? .string(text)
    case .sequence(let elements): return .array(elements.map(expanded))
    case .mapping(let entries):
      var object = JSONObject()
      for entry in entries { object[entry.name] = expanded(entry.value) }
      return .object(object)
    }
  }
}

extension ConfigNode {
  /// True when the node may contain a `${…}`.
  package var hasPlaceholders: Bool {
    switch content {
    case .scalar(let scalar): scalar.text.utf8.contains(UInt8(ascii: "$"))
    case .sequence(let elements): elements.contains(where: \.hasPlaceholders)
    case .mapping(let entries): entries.contains(where: \.value.hasPlaceholders)
    }
  }

  /// True when part of the node is replaced from outside the configuration.
  var hasReferences: Bool {
    switch content {
    case .scalar(let scalar):
      guard scalar.text.utf8.contains(UInt8(ascii: "$")) else { return false }
      // A malformed text is reported by its reader.
      return (try? PlaceholderText(scalar.text))?.isLiteral == false
    case .sequence(let elements): return elements.contains(where: \.hasReferences)
    case .mapping(let entries): return entries.contains(where: \.value.hasReferences)
    }
  }

  /// The node as declared, as JSON: every `${…}` stays as written.
  var declaration: JSONValue { declaration { _ in nil } }

  /// - Parameter expression: Returns the text of an expression that replaces a node.
  fileprivate func declaration(_ expression: (ConfigNode) -> String?) -> JSONValue {
    if let expression = expression(self) { return .string(expression) }
    switch content {
    case .scalar(let scalar): return (try? CoreSchema.resolve(scalar.text, as: scalar).get()) ?? .string(scalar.text)
    case .sequence(let elements): return .array(elements.map { $0.declaration(expression) })
    case .mapping(let entries):
      var object = JSONObject()
      for entry in entries { object[entry.name] = entry.value.declaration(expression) }
      return .object(object)
    }
  }
}

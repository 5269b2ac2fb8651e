import JSON

extension DeclaredType: ParameterValue {
  package static var typeName: String { "a type: \(words), or {type, minimum, maximum, enum, fields, items}" }
  package static var shape: ParameterShape { .valueType }
  package var defaultText: String? { word.rawValue }

  private static var words: String { ValueType.allCases.map(\.rawValue).joined(separator: ", ") }

  /// The keys of a type; the last one is for fields alone.
  private static let keys = ["type", "minimum", "maximum", "enum", "fields", "items", "optional"]

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> DeclaredType? {
    read(reading.reader(node))
  }

  private static func read(_ reader: Reader) -> DeclaredType? {
    guard reader.node.entries != nil else { return reader.choice(of: ValueType.self).map { DeclaredType($0) } }
    guard let mapping = reader.mapping(of: keys) else { return nil }
    let type = read(mapping)
    if let entry = mapping.entry("optional") {
      reader.problems.error("only a field of an object is optional", at: entry.key)
    }
    return type
  }

  /// Reads the keys that every type may have, and leaves the others.
  private static func read(_ mapping: MappingReader) -> DeclaredType? {
    let errors = mapping.problems.errorCount
    let word: ValueType? = mapping.optional("type")?.choice()
    let (minimum, maximum) = (mapping.optional("minimum")?.number(), mapping.optional("maximum")?.number())
    let choices = mapping.optional("enum").map(choices) ?? []
    let fields = mapping.optional("fields").map(fields) ?? []
    let items = mapping.optional("items").flatMap { read($0) }
    let type = DeclaredType(
      word ?? implied(by: mapping, choices), minimum: minimum, maximum: maximum, choices: choices, fields: fields,
      items: items)
    if mapping.problems.errorCount == errors { type.check(mapping) }
    return mapping.problems.errorCount == errors ? type : nil
  }

  /// Returns the type that is meant where only other keys are given.
  private static func implied(by mapping: MappingReader, _ choices: [JSONValue]) -> ValueType {
    if mapping.entry("fields") != nil { return .object }
    if mapping.entry("items") != nil { return .array }
    if mapping.entry("minimum") ?? mapping.entry("maximum") != nil { return .number }
    guard let first = choices.first?.type, choices.allSatisfy({ $0.type == first }) else { return .any }
    return first
  }

  private static func choices(_ reader: Reader) -> [JSONValue] {
    guard let list = reader.list() else { return [] }
    if list.isEmpty { reader.problems.error("expected at least one value", at: reader) }
    var values: [JSONValue] = []
    for item in list {
      guard let value = item.literal() else { continue }
      if values.contains(value) { reader.problems.error("duplicate value \(value)", at: item) }
      values.append(value)
    }
    return values
  }

  private static func fields(_ reader: Reader) -> [Field] {
    guard let entries = reader.entries() else { return [] }
    if entries.isEmpty { reader.problems.error("expected fields with their types, as in {name: string}", at: reader) }
    return entries.compactMap { field($0.name, Reader($0.value, reader.context)) }
  }

  private static func field(_ name: String, _ reader: Reader) -> Field? {
    guard reader.node.entries != nil, let mapping = reader.mapping(of: keys) else {
      return read(reader).map { Field(name: name, type: $0, isOptional: false) }
    }
    let isOptional = mapping.optional("optional").map { $0.bool() ?? false } ?? false
    let type = read(mapping)
    return type.map { Field(name: name, type: $0, isOptional: isOptional) }
  }

  /// Reports keys that do not go with the type or with each other.
  private func check(_ mapping: MappingReader) {
    let problems = mapping.problems
    for (key, goesWith) in [
      ("minimum", [ValueType.integer, .number]), ("maximum", [.integer, .number]), ("fields", [.object]),
      ("items", [.array]),
    ] {
      guard let entry = mapping.entry(key), !goesWith.contains(word) else { continue }
      problems.error("\(word.withArticle) has no \"\(key)\"", at: entry.key)
    }
    for key in ["minimum", "maximum"] where word == .integer {
      guard let entry = mapping.entry(key), let bound = key == "minimum" ? minimum : maximum else { continue }
      if bound != bound.rounded() { problems.error("the \(key) of integers is an integer", at: entry.value) }
    }
    if let minimum, let maximum, minimum > maximum, let entry = mapping.entry("maximum") {
      problems.error("maximum is less than minimum", at: entry.value)
    }
    guard let list = mapping.entry("enum")?.value.elements else { return }
    let whole = DeclaredType(word, minimum: minimum, maximum: maximum, fields: fields, items: items)
    for (choice, node) in zip(choices, list) {
      guard let mismatch = whole.mismatch(.value(choice)) else { continue }
      problems.error("the type is \(mismatch.expected), not \(mismatch.found)", at: node)
    }
  }
}

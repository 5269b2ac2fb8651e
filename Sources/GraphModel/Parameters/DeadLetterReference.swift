/// An input or a property for values whose call has failed for good, each as an object `{value, error}`.
package struct DeadLetterReference: ParameterValue {
  package let name: String

  package static var typeName: String { TargetReference.typeName }
  package static var shape: ParameterShape { .target }
  package var targets: [String] { [name] }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> DeadLetterReference? {
    guard let name = TargetReference.read(node, reading)?.name else { return nil }
    let (place, problems) = (Extent(node), reading.reader.problems)
    reading.reader.whenAllAreRead { signals in
      guard let type = signals[name]?.body.source.acceptedType, !type.acceptsDeadLetters else { return }
      problems.unworkable(
        "\"\(name)\" takes \(type.withArticle), and a dead letter is an object {value, error}: give that input the type "
          + "object, without other required fields", at: place)
    }
    return DeadLetterReference(name: name)
  }
}

extension DeclaredType {
  /// The types that the members of a dead letter may have.
  private static let members: [String: Set<ValueType>] = [
    "value": Set(ValueType.allCases), "error": [.any, .object],
  ]

  fileprivate var acceptsDeadLetters: Bool {
    guard [.any, .object].contains(word), choices.isEmpty else { return false }
    return fields.allSatisfy { field in
      guard let types = Self.members[field.name] else { return field.isOptional }
      return types.contains(field.type.word)
    }
  }
}

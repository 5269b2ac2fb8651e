internal import Base
package import JSON

extension DeclaredType {
  /// A value that does not fit: what was expected, and what it is.
  package struct Mismatch: Equatable, Sendable {
    package let expected: String
    package let found: String
  }

  /// Returns the reason that a value does not fit; `nil` for one that fits.
  package func mismatch(_ payload: Payload) -> Mismatch? {
    guard word.accepts(payload) else { return Mismatch(expected: withArticle, found: found(payload)) }
    guard !isPlain, let mismatch = partMismatch(in: payload.value) else { return nil }
    let place = mismatch.path.isEmpty ? "" : " in \(mismatch.path)"
    return Mismatch(expected: mismatch.type.withArticle + place, found: mismatch.found)
  }

  /// The first part of a value that does not fit.
  ///
  /// Its path grows on the way back, so that values that fit have none.
  private struct PartMismatch {
    let type: DeclaredType
    let found: String
    var path = ValuePath()

    func enclosed(in step: ValuePath.Step) -> PartMismatch {
      var outer = self
      outer.path.enclose(in: step)
      return outer
    }
  }

  private func partMismatch(in value: JSONValue) -> PartMismatch? {
    guard word.accepts(.value(value)) else { return PartMismatch(type: self, found: found(.value(value))) }
    if !isWithinRange(value) || !choices.isEmpty && !choices.contains(value) {
      return PartMismatch(type: self, found: value.shortened)
    }
    switch value.plain {
    case .object(let object) where !fields.isEmpty: return partMismatch(among: object)
    case .array(let elements): return items.flatMap { partMismatch(among: elements, of: $0) }
    default: return nil
    }
  }

  private func partMismatch(among members: JSONObject) -> PartMismatch? {
    for field in fields {
      if let part = members[field.name] {
        if let mismatch = field.type.partMismatch(in: part) { return mismatch.enclosed(in: .field(field.name)) }
      } else if !field.isOptional {
        return PartMismatch(
          type: self, found: "an object without \(field.name)\(misspelling(of: field, among: members))")
      }
    }
    return nil
  }

  /// The member that probably was to be the missing field, in brackets.
  private func misspelling(of field: Field, among members: JSONObject) -> String {
    let unknown = members.members.map(\.key).filter { key in !fields.contains { $0.name == key } }
    return Suggestion.likely(for: field.name, among: unknown).map { " (but with \($0))" } ?? ""
  }

  private func partMismatch(among elements: [JSONValue], of items: DeclaredType) -> PartMismatch? {
    for (index, element) in elements.enumerated() {
      if let mismatch = items.partMismatch(in: element) { return mismatch.enclosed(in: .item(index)) }
    }
    return nil
  }

  /// The type of a value of a wrong one; the value itself where it is a number that is not an integer.
  private func found(_ payload: Payload) -> String {
    word == .integer && ValueType.number.accepts(payload) ? payload.value.shortened : payload.typeWithArticle
  }

  private func isWithinRange(_ value: JSONValue) -> Bool {
    guard case .number(let number) = value.plain else { return true }
    return number >= minimum ?? number && number <= maximum ?? number
  }
}

extension JSONValue {
  /// A scalar in short, and a type for what may be longer.
  var shortened: String {
    switch plain {
    case .array, .object: typeWithArticle
    case .string(let text) where text.utf8.count > Self.longestShown: "\"\(text.prefix(Self.longestShown - 10))…\""
    default: description
    }
  }

  /// The longest text that a message shows.
  private static var longestShown: Int { 60 }
}

extension Reader {
  /// Returns the scalar's text and value; reports and returns `nil` for a collection, a `${…}` without a value and an
  /// open reference.
  ///
  /// - Parameter bounds: The least and the greatest value, reported for a number that is too large for JSON.
  func resolved(expected: String, bounds: (least: String, greatest: String)? = nil) -> ResolvedScalar? {
    guard let scalar = node.scalar else {
      refuse(expected: expected)
      return nil
    }
    guard let text = replaced(scalar.text) else { return nil }
    switch CoreSchema.resolve(text, as: scalar) {
    case .success(let value): return ResolvedScalar(text: text, value: value)
    case .failure(let refusal):
      if let bounds, refusal.isTooLarge {
        let isTooSmall = text.hasPrefix("-")
        refuse(beyond: isTooSmall ? bounds.least : bounds.greatest, isTooSmall: isTooSmall)
      } else {
        problems.error(refusal.message, at: node)
      }
      return nil
    }
  }

  /// The scalars in a tree, with itself, in the order of the file.
  var scalars: [Reader] {
    switch node.content {
    case .scalar: [self]
    case .sequence(let elements): elements.flatMap { Reader($0, context).scalars }
    case .mapping(let entries): entries.flatMap { Reader($0.value, context).scalars }
    }
  }

  /// True when the node contains an open `${…}`.
  var isOpen: Bool { problems.openReferences.contains { $0.place == place } }

  private func replaced(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    do throws(ReplacementError) {
      return try context.replacements.expand(text)
    } catch {
      if let subject = error.openSubject(from: context.inputs.viewpoint) {
        problems.leaveOpen(OpenReference(subject: subject, place: place), at: node)
      } else {
        problems.error(error.message, at: node)
      }
      return nil
    }
  }
}

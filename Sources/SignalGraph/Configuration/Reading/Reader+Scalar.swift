extension Reader {
  /// The scalar's text and value; `nil`, and reported, for a collection or for a `${…}` that stands for nothing.
  func resolved(expected: String) -> ResolvedScalar? {
    guard let scalar = node.scalar else {
      refuse(expected: expected)
      return nil
    }
    guard let text = replaced(scalar.text) else { return nil }
    switch CoreSchema.resolve(text, as: scalar) {
    case .success(let value): return ResolvedScalar(text: text, value: value)
    case .failure(let refusal):
      problems.error(refusal.message, at: node)
      return nil
    }
  }

  private func replaced(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    do throws(ReplacementError) {
      return try context.replacements.expand(text)
    } catch {
      problems.error(error.message, at: node)
      return nil
    }
  }
}

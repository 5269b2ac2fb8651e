import Spelling

extension Reader {
  /// One of several words.
  package func choice(of words: [String]) -> String? {
    let expected = "one of \(words.joined(separator: ", "))"
    guard let scalar = resolved(expected: expected) else { return nil }
    if words.contains(scalar.text) { return scalar.text }
    refuse(expected: expected, suggestion: Suggestion.likely(for: scalar.text, among: words))
    return nil
  }

  /// One of the cases of a type.
  package func choice<Choice>(of type: Choice.Type = Choice.self) -> Choice?
  where Choice: CaseIterable & RawRepresentable<String> {
    choice(of: Choice.allCases.map(\.rawValue)).flatMap(Choice.init)
  }
}

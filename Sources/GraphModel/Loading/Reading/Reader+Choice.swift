import Base

extension Reader {
  /// Reads one of several words.
  func choice(of words: [String]) -> String? {
    let expected = "one of \(words.joined(separator: ", "))"
    guard let scalar = resolved(expected: expected) else { return nil }
    if words.contains(scalar.text) { return scalar.text }
    refuse(
      expected: expected, suggestion: Suggestion.likely(for: scalar.text, among: words),
      fixIt: FixIt(correcting: node, scalar.text, among: words))
    return nil
  }

  /// Reads one of the cases of a type.
  package func choice<Word>(of type: Word.Type = Word.self) -> Word?
  where Word: CaseIterable & RawRepresentable<String> {
    choice(of: Word.allCases.map(\.rawValue)).flatMap(Word.init)
  }
}

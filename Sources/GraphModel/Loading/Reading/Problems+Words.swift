import Base

extension Problems {
  /// Reports an unknown word, with the nearest known one and, if no other is as near, a fix-it.
  package func error(
    _ message: String, at node: ConfigNode, for word: String, among known: some Collection<String>,
    related: Diagnostic.Related? = nil
  ) {
    error(
      message, at: node, suggestion: Suggestion.likely(for: word, among: known), related: related,
      fixIt: FixIt(correcting: node, word, among: known))
  }
}

extension FixIt {
  /// Replaces a scalar that consists of an unknown word by the known word that it is likely to be; `nil` if several
  /// are as near.
  init?(correcting node: ConfigNode, _ word: String, among known: some Collection<String>) {
    guard node.scalar?.text == word, let only = Suggestion.unambiguous(for: word, among: known) else { return nil }
    self.init(replacing: node, with: only)
  }
}

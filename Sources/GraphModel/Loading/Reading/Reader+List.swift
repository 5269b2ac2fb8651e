extension Reader {
  /// Returns the elements of a list.
  package func list() -> [Reader]? {
    if let elements = node.elements { return elements.map { Reader($0, context) } }
    refuse(expected: "a list")
    return nil
  }

  /// Returns the elements of a list, or a single element in its place.
  func oneOrList() -> [Reader] {
    node.elements.map { $0.map { Reader($0, context) } } ?? [self]
  }

  /// Reads the texts of a list, or a single text; skips those with errors.
  package func textOrList() -> [String] { oneOrList().compactMap { $0.text() } }

  /// Reads the texts of a list; skips those with errors.
  package func textList() -> [String]? { list().map { $0.compactMap { $0.text() } } }
}

extension Reader {
  /// The elements of a list.
  package func list() -> [Reader]? {
    if let elements = node.elements { return elements.map { Reader($0, context) } }
    refuse(expected: "a list")
    return nil
  }

  /// The elements of a list, or the one element in its place.
  package func oneOrList() -> [Reader] {
    node.elements.map { $0.map { Reader($0, context) } } ?? [self]
  }

  /// Texts in a list, or one text in its place; those that can be read.
  package func textOrList() -> [String] { oneOrList().compactMap { $0.text() } }

  /// Texts in a list; those that can be read.
  package func textList() -> [String]? { list().map { $0.compactMap { $0.text() } } }
}

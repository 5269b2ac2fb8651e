import GraphModel

extension OperatorDeclaration {
  /// True if it can be used without parameters, according to its own reader.
  package var standsAlone: Bool { prepare(nil, .alone(name), .ofNothing()) != nil }
}

extension SourceDeclaration {
  /// True if it can be used without parameters, according to its own reader.
  package var standsAlone: Bool { prepare(.alone(""), .alone(name), { _ in nil }, .ofNothing()) != nil }
}

extension ConfigNode {
  /// Returns a node for a word in a file of its own.
  fileprivate static func alone(_ word: String) -> ConfigNode {
    ConfigNode(place: SourceFile(name: "", text: word).start, content: .scalar(Scalar(word, style: .plain)))
  }
}

extension DeclarationReader {
  /// Returns a reader that knows no declarations and discards its diagnostics.
  fileprivate static func ofNothing() -> DeclarationReader {
    DeclarationReader(
      ReadingContext(problems: Problems(), inputs: .system), graph: "", declared: DeclaredNames([]),
      bodies: NoBodies())
  }
}

/// Reads nothing: a word by itself has no declarations inside.
private struct NoBodies: BodyReading {
  func body(_ node: ConfigNode, _ reader: DeclarationReader) -> SignalBody? { nil }
  func pipe(_ node: ConfigNode, _ reader: DeclarationReader) -> [any PreparedOperator]? { nil }
}

/// Reads what a declaration has inside of it: the part of reading that knows the sources and the operators.
package protocol BodyReading {
  /// Reads a signal declared inline; `nil` after reporting every error in it.
  func body(_ node: ConfigNode, _ reader: DeclarationReader) -> SignalBody?

  /// Reads a list of operators; `nil` after reporting every error in it.
  func pipe(_ node: ConfigNode, _ reader: DeclarationReader) -> [any PreparedOperator]?
}

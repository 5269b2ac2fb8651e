import GraphModel

/// Reads declarations inside of others with the sources and operators of the catalogue.
struct BodyReader: BodyReading {
  func body(_ node: ConfigNode, _ reader: DeclarationReader) -> SignalBody? {
    SignalReader(SignalKeys.corrected(node, reader), at: node, reader).read(isInline: true)?.body
  }

  func pipe(_ node: ConfigNode, _ reader: DeclarationReader) -> [any PreparedOperator]? {
    PipeReader(node, reader).read()
  }
}

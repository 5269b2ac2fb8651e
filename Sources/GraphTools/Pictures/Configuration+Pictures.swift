package import GraphModel

extension Configuration {
  /// Returns the graphs, or some of them, in a diagram language.
  ///
  /// - Parameters:
  ///   - hidesPrivate: True to omit private signals and their edges.
  ///   - foldsChains: True to draw signals in a row, each computed from the one before alone, as one.
  package func picture(
    as language: PictureLanguage, of names: Set<String> = [], hidesPrivate: Bool = false, foldsChains: Bool = false
  ) -> String {
    let graphs = graphs.filter { names.isEmpty || names.contains($0.name) }
    let whole = PictureBuilder.picture(of: graphs, hidesPrivate: hidesPrivate)
    let picture = foldsChains ? whole.foldingChains() : whole
    return switch language {
    case .dot: DOTPicture(picture: picture).text
    case .mermaid: MermaidPicture(picture: picture).text
    case .svg: SVGPicture(picture: picture).text
    }
  }
}

extension Configuration {
  /// Returns the graphs, or some of them, as a text tree for a terminal.
  package func pictureLines(of names: Set<String> = []) -> [MarkedText] {
    TextPicture(picture: PictureBuilder.picture(of: graphs.filter { names.isEmpty || names.contains($0.name) })).lines
  }
}

/// A text format for diagrams.
package enum PictureLanguage: String, CaseIterable, Sendable {
  /// Graphviz's language.
  case dot
  case mermaid
  /// A rendered image.
  case svg
}

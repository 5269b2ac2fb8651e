extension Configuration {
  /// The graphs, or some of them, drawn in a language for pictures.
  ///
  /// - Parameter hidesPrivate: Whether private signals are left out, with the arrows from them and to them.
  package func picture(
    as language: PictureLanguage, of names: Set<String> = [], hidesPrivate: Bool = false
  ) -> String {
    let graphs = graphs.filter { names.isEmpty || names.contains($0.name) }
    let picture = PictureBuilder.picture(of: graphs, hidesPrivate: hidesPrivate)
    return switch language {
    case .dot: DOTPicture(picture: picture).text
    case .mermaid: MermaidPicture(picture: picture).text
    case .svg: SVGPicture(picture: picture).text
    }
  }
}

extension Configuration {
  /// The graphs, or some of them, drawn for a terminal, a line each.
  package func pictureLines(of names: Set<String> = []) -> [MarkedText] {
    TextPicture(picture: PictureBuilder.picture(of: graphs.filter { names.isEmpty || names.contains($0.name) })).lines
  }
}

/// A language in which pictures are written as text.
package enum PictureLanguage: String, CaseIterable, Sendable {
  /// Graphviz's.
  case dot
  case mermaid
  /// A picture that is drawn already.
  case svg
}

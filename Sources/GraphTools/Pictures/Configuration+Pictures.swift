package import GraphModel

extension Configuration {
  /// Returns the graphs, or some of them, in a diagram language.
  ///
  /// - Parameters:
  ///   - isVisible: Tells of the full names of signals and actions that may be shown; nothing in the picture has others.
  ///   - foldsChains: True to draw signals in a row, each computed from the one before alone, as one.
  package func picture(
    as language: PictureLanguage, of names: Set<String> = [], showing isVisible: (String) -> Bool = { _ in true },
    foldsChains: Bool = false
  ) -> String {
    let graphs = graphs.filter { names.isEmpty || names.contains($0.name) }
    let whole = PictureBuilder.picture(of: graphs, hiding: Set(namesInUse.filter { !isVisible($0) }))
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

extension Configuration {
  /// The full names of all signals and actions that are declared or mentioned.
  fileprivate var namesInUse: Set<String> {
    Set(graphs.flatMap { $0.actions.map(\.name) + $0.signals.flatMap { [$0.name] + $0.namedParts } })
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

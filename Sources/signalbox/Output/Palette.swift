internal import GraphModel
internal import Linux

/// The rendering of marked text on a stream, with or without colours.
struct Palette {
  static let plain = Palette(isColored: false)

  let isColored: Bool

  /// Renders a line: foreign text can neither control a terminal nor start a line.
  func show(_ text: MarkedText) -> String {
    text.parts.map { part in
      let shown = part.text.visibleLine
      guard isColored, !shown.isEmpty, let mark = part.mark else { return shown }
      return "\u{1b}[\(Self.rendition(of: mark))m\(shown)\u{1b}[m"
    }.joined()
  }

  /// These are among the eight colours of every terminal, and readable on black and on white.
  private static func rendition(of mark: MarkedText.Mark) -> String {
    switch mark {
    case .error: "1;31"
    case .warning: "35"
    case .success: "32"
    case .title: "1"
    case .aside: "2"
    }
  }
}

internal import Linux
internal import SignalGraph

/// The look of marked parts of a text on a stream: in colours, or like the rest.
struct Palette {
  static let plain = Palette(isColored: false)

  let isColored: Bool

  /// A line as it is shown: text from elsewhere can neither steer a terminal nor begin a line.
  func show(_ text: MarkedText) -> String {
    text.parts.map { part in
      let shown = part.text.visibleLine
      guard isColored, !shown.isEmpty, let mark = part.mark else { return shown }
      return "\u{1b}[\(Self.rendition(of: mark))m\(shown)\u{1b}[m"
    }.joined()
  }

  /// Of the eight colours that every terminal has, those that can be read on black and on white.
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

internal import Linux

/// An address on a screen, which terminals open at a click (OSC 8), even if it takes several lines.
struct Hyperlink {
  let address: String

  /// True if the terminal passes over the sequences at least; a few old ones print them.
  private static let isKnown: Bool = {
    let kind = CurrentProcess.environment("TERM") ?? "dumb"
    return !["dumb", "linux"].contains(kind) && !kind.hasPrefix("vt")
  }()

  /// Returns the address behind a title or, if they do not fit one line, on lines of its own.
  func lines(title: String, width: Int) -> [String] {
    if title.count + address.count <= width { return [title + linked(address)] }
    return stride(from: 0, to: address.count, by: max(1, width)).map { start in
      linked(String(address.dropFirst(start).prefix(width)))
    }
  }

  /// The identifier makes several lines one link.
  private func linked(_ text: String) -> String {
    Self.isKnown ? "\u{1b}]8;id=page;\(address)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\" : text
  }
}

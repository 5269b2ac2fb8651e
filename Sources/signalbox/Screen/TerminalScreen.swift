internal import Linux

/// The full screen of a terminal: the alternate screen, without a cursor, with unbuffered keys.
///
/// It is restored with the end of this object at the latest, and while the program is stopped.
final class TerminalScreen {
  private let output: Output
  private let keys = KeyInput()

  init(_ output: Output) {
    self.output = output
    enter()
  }

  deinit { leave() }

  /// True if keys can be read.
  var hasKeys: Bool { keys != nil }

  /// Sets up the screen, also after another program has used it.
  func enter() {
    keys?.begin()
    output.text("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Restores the screen.
  func leave() {
    output.text("\u{1b}[?25h\u{1b}[?1049l")
    try? output.flush()
    keys?.end()
  }

  /// Each line is cleared after its text and the screen below the last, which avoids flicker.
  func draw(_ lines: [String]) {
    output.text("\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }
}

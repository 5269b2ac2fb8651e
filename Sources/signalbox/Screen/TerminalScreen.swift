internal import Linux

/// The whole screen of a terminal, lent to a program: its second page, without a cursor, and keys as they are pressed.
///
/// It is given back with this object at the latest, and in between for as long as the program is stopped.
final class TerminalScreen {
  private let output: Output
  private let keys = KeyInput()

  init(_ output: Output) {
    self.output = output
    enter()
  }

  deinit { leave() }

  /// Whether keys can be pressed.
  var hasKeys: Bool { keys != nil }

  /// Takes the screen, again if another program had it meanwhile.
  func enter() {
    keys?.begin()
    output.text("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Gives it back as it was.
  func leave() {
    output.text("\u{1b}[?25h\u{1b}[?1049l")
    try? output.flush()
    keys?.end()
  }

  /// Each line is cleared behind its text and the screen below the last, so that nothing flickers.
  func draw(_ lines: [String]) {
    output.text("\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
  }
}

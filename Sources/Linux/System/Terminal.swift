import Glibc

/// The user's terminal.
package enum Terminal {
  /// The size; `nil` if standard output is no terminal or has an unknown size.
  package static var size: (rows: Int, columns: Int)? {
    var size = winsize()
    guard ioctl(StandardStream.output.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }
}

/// Raw key input without echo or line buffering, in effect while this object exists.
package final class KeyInput {
  private var before = termios()

  /// Returns `nil` if standard input is no terminal.
  package init?() {
    guard tcgetattr(StandardStream.input.rawValue, &before) == 0 else { return nil }
    begin()
  }

  deinit { end() }

  /// Enables raw key input, again if the mode was changed meanwhile.
  package func begin() {
    var mode = before
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(StandardStream.input.rawValue, TCSANOW, &mode)
  }

  /// Restores the terminal's mode.
  package func end() { tcsetattr(StandardStream.input.rawValue, TCSANOW, &before) }
}

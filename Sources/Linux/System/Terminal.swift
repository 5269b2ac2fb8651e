import Glibc

/// The terminal that a person sits at.
package enum Terminal {
  /// Its size; `nil` if standard output is no terminal, or does not say.
  package static var size: (rows: Int, columns: Int)? {
    var size = winsize()
    guard ioctl(StandardStream.output.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }
}

/// Keys as they are pressed, unseen and without waiting for the end of a line, until this object is gone.
package final class KeyInput {
  private var before = termios()

  /// `nil` where standard input is no terminal.
  package init?() {
    guard tcgetattr(StandardStream.input.rawValue, &before) == 0 else { return nil }
    begin()
  }

  deinit { end() }

  /// Has the terminal give keys as they are pressed, also where it was left otherwise meanwhile.
  package func begin() {
    var mode = before
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(StandardStream.input.rawValue, TCSANOW, &mode)
  }

  /// Leaves the terminal as it was.
  package func end() { tcsetattr(StandardStream.input.rawValue, TCSANOW, &before) }
}

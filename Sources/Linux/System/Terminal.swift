import Glibc

/// The terminal that a person sits at.
package enum Terminal {
  /// How much fits on it; `nil` where standard output is none, or does not say.
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
    var mode = before
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(StandardStream.input.rawValue, TCSANOW, &mode)
  }

  deinit {
    tcsetattr(StandardStream.input.rawValue, TCSANOW, &before)
  }
}

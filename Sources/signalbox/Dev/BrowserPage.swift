internal import GraphModel
internal import Linux

/// The page of `dev` in a browser, which `signalbox-http` serves.
final class BrowserPage {
  private let command: [String]
  private var program: ProgramRun?
  private var address: String?

  /// - Parameter path: The configuration file.
  init(_ path: String, of folder: DevelopmentFolder) {
    command = [
      CurrentProcess.programBeside("signalbox-http"), "--view", "--socket", folder.socket, "--config", path, "--state",
      folder.state,
    ]
  }

  /// Starts to serve the page, unless it was started before.
  func start(_ screen: ScreenLoop, onChange: @escaping () -> Void) throws(CommandError) {
    if program != nil { return }
    let program = try ProgramRun(command) { [unowned self] stream, line in
      if stream == .output, address == nil { address = line }
      onChange()
    }
    self.program = program
    try program.follow(screen) { [unowned self] status in
      address = "signalbox-http \(status.words)"
      onChange()
    }
  }

  func stop() { program?.stop() }

  /// Returns the address in lines of a width: it is copied by hand, and must not be cut.
  func lines(columns: Int) -> [MarkedText] {
    guard let address else { return [] }
    return stride(from: 0, to: address.count, by: columns).map { start in
      MarkedText(String(address.dropFirst(start).prefix(columns)))
    }
  }
}

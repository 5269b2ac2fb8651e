internal import GraphModel
internal import Linux

/// The page of `dev` in a browser, which `signalbox-http` serves.
final class BrowserPage {
  private let command: [String]
  private var program: ProgramRun?
  /// The address with its token.
  private(set) var address: String?
  /// The end of the program that serves the page.
  private(set) var end: String?

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
      (address, end) = (nil, "signalbox-http \(status.words)")
      onChange()
    }
  }

  func stop() { program?.stop() }
}

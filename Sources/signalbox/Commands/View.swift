internal import Linux

extension Command {
  static let view = Command(
    name: "view", operands: "", summary: "show the graphs, live, in a browser",
    details: """
      Starts signalbox-http for yourself: on a free port of this machine, with a token in the address, which it prints and
      opens. The graphs as signalbox graph draws them, with the present values; a signal opened shows its history, and
      values can be sent. Interrupting the command ends it.

      Values of durable graphs are explained there, as signalbox why does, if you may read the folder that the configuration
      names; for a --socket of another daemon, give its --config or --state too.
      """,
    options: [
      Option(
        name: "config", letter: "c", argument: "PATH",
        doc: "the configuration to draw (\(ConfigurationFiles.defaultPath))",
        kind: .configuration),
      Option(name: "state", argument: "DIR", doc: "the folder with the state of durable graphs", kind: .file),
    ],
    examples: [Example("signalbox view", "look at the running daemon")]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    let program = CurrentProcess.folder.map { "\($0)/signalbox-http" } ?? "signalbox-http"
    var arguments = [program, "--view", "--socket", invocation.socketPath]
    if let configuration = invocation.text("config") { arguments += ["--config", configuration] }
    if let state = stateFolder(invocation) { arguments += ["--state", state] }
    do throws(Errno) { try CurrentProcess.replace(with: arguments) } catch {
      throw CommandError(.unreadable, "\(program) is not there: \(error.reason); it comes with signalbox")
    }
  }

  /// The folder that is named, or that of the daemon whose graphs are shown, if that is open to this user.
  private static func stateFolder(_ invocation: Invocation) -> String? {
    if let named = invocation.text("state") { return named }
    // A daemon at another socket has another folder than the system's.
    let isOther = invocation.socketPath != Invocation.defaultSocket && invocation.text("config") == nil
    guard !isOther, let path = try? StateLocation(invocation).path else { return nil }
    return StateLocation(path: path).isOpen ? path : nil
  }
}

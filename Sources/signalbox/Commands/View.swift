internal import Linux

extension Command {
  static let view = Command(
    name: "view", operands: "", summary: "show the graphs, live, in a browser",
    details: """
      Starts signalbox-http for yourself: on a free port of this machine, with a token in the address, which it prints and
      opens. The graphs as signalbox graph draws them, with the present values; a signal opened shows its history, and
      values can be sent. Interrupting the command ends it.
      """,
    options: [
      Option(
        name: "config", letter: "c", argument: "PATH",
        doc: "the configuration to draw (\(ConfigurationFiles.defaultPath))",
        kind: .configuration)
    ],
    examples: [Example("signalbox view", "look at the running daemon")]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    let program = CurrentProcess.folder.map { "\($0)/signalbox-http" } ?? "signalbox-http"
    var arguments = [program, "--view", "--socket", invocation.socketPath]
    if let configuration = invocation.text("config") { arguments += ["--config", configuration] }
    do throws(Errno) { try CurrentProcess.replace(with: arguments) } catch {
      throw CommandError(.unreadable, "\(program) is not there: \(error.reason); it comes with signalbox")
    }
  }
}

internal import Linux

extension Command {
  static let view = Command(
    name: "view", operands: "", summary: "show the graphs live in a browser",
    details: """
      Starts signalbox-http for the current user: on a free local port, with a token in the address, which is printed
      and opened. Shows the graphs as signalbox graph draws them, with current values; an opened signal shows its
      history, and accepts values. Interrupting the command stops it.

      Values of durable graphs are explained as by signalbox why, if the user may read the state folder. The daemon
      reports the paths of its configuration and state folder to root and its own user; others give --config and
      --state.
      """,
    options: [
      Option(
        name: "config", letter: "c", argument: "PATH",
        doc: "the configuration to draw (\(ConfigurationFiles.defaultPath))",
        kind: .configuration),
      Option(name: "state", argument: "DIR", doc: "the folder with the state of durable graphs", kind: .file),
    ],
    examples: [Example("signalbox view", "view the running daemon")]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    let program = CurrentProcess.programBeside("signalbox-http")
    var arguments = [program, "--view", "--socket", invocation.socketPath]
    let location = location(invocation)
    if let configuration = invocation.text("config") ?? location?.configuration ?? configuration(invocation) {
      arguments += ["--config", configuration]
    }
    if let location, invocation.has("state") || location.isOpen { arguments += ["--state", location.path] }
    do throws(Errno) { try CurrentProcess.replace(with: arguments) } catch {
      throw CommandError(.unreadable, "cannot run \(program): \(error.reason); it is part of the signalbox package")
    }
  }

  /// Returns the configuration of the daemon whose graphs are shown, which need not be durable; `nil` if it is unknown.
  private static func configuration(_ invocation: Invocation) -> String? {
    (try? DaemonPaths(at: invocation.socketPath, invocation.output))?.configuration
  }

  /// Returns the given state folder, or that of the daemon whose graphs are shown; `nil` if it is unknown.
  private static func location(_ invocation: Invocation) -> StateLocation? { try? StateLocation(invocation) }
}

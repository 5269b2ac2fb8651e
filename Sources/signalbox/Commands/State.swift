extension Command {
  static let state = Command(
    name: "state", operands: "", kinds: [],
    summary: "show what is kept of durable graphs",
    details: """
      Reads the folder beside a running daemon, or without one: its size, the newest snapshot, the last commit, how long the
      daemon would take to recover, and for each graph how many of its signals are durable, what they take in a snapshot,
      how many values have come to them since then, and how many messages of clients are remembered. One journal is kept
      for all durable graphs. The folder is that of --state, else the one that the configuration names, else
      $STATE_DIRECTORY, else \(StateLocation.defaultPath). Root and the daemon's own user may read it.
      """,
    options: StateLocation.options,
    isOffline: true,
    examples: [
      Example("sudo signalbox state", "what the daemon would go on from"),
      Example("signalbox state --json --state /var/lib/signalbox", "for programs"),
    ]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    try StateReport.tell(try StateLocation(invocation), invocation)
  }
}

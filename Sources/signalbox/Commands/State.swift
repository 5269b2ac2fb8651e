internal import Base
internal import Linux

extension Command {
  static let state = Command(
    name: "state", operands: "[reset GRAPH|repair|export|import [FILE]]",
    kinds: [.word(["reset", "repair", "export", "import"]), .file],
    summary: "show or change the state of durable graphs",
    details: """
      Reads the state folder, with or without a running daemon: its size, the newest snapshot, the last commit, the
      estimated recovery time, and for each graph the number of durable signals, their size in a snapshot, the values
      since then, and the remembered message ids. All durable graphs share one state log. The folder is that of --state,
      else the one in the configuration of --config, else that of the daemon at the socket. If none runs at
      \(SocketPath.ofDaemon), it is that of the shipped configuration, else $STATE_DIRECTORY, else
      \(StateLocation.defaultPath). Only root and the daemon's user may read it.

      The subcommands change the folder while no daemon uses it. They ask nothing and report what they did; with
      --dry-run they only report what they would do.

      reset GRAPH discards the state of the signals of a graph, and of the signals of other durable graphs that are
      computed from them, at the daemon's next start, as if their declarations had changed. Their sequence numbers
      continue. All other signals keep their state. A damaged folder is repaired before.

      repair keeps the longest intact prefix of a damaged folder, and reports what is lost, and since when. The damaged
      database is kept beside the new one.

      export prints a file with the current state of all durable graphs, for import into an empty folder, such as that
      of another machine, with or without a running daemon; the history is not included. After the import only one of
      the two daemons may run: clients cannot tell them apart.

      import --cluster GRAPH moves the state of a graph that was durable to the empty log of the cluster in the configuration
      of --config, in which the graph has cluster: true; no daemon of the cluster may run. The folder stays as it is. repair
      --cluster GRAPH replaces a damaged log by the state at its last intact commit; daemons that have stopped the graph read
      it again by themselves, and none may run it. Both need signalbox-bridge beside this program.
      """,
    options: StateLocation.ownOptions + [
      Option(
        name: "cluster", argument: "GRAPH", doc: "with import and repair: the log of a clustered graph, not the folder"),
      Option(name: "dry-run", letter: "n", doc: "report the changes without applying them"),
    ],
    isOffline: true,
    examples: [
      Example("sudo signalbox state", "the state the daemon would recover"),
      Example("signalbox state --json --state /var/lib/signalbox", "for programs"),
      Example("sudo signalbox state reset climate", "discard the state of one graph"),
      Example("sudo signalbox state repair --dry-run", "assess the damage"),
      Example("sudo signalbox state export > graphs.state", "export the state"),
      Example("sudo signalbox state import graphs.state", "import it on another machine"),
      Example("sudo signalbox state import --cluster alarms", "the first state of a clustered graph"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(0...2)
    if let graph = invocation.text("cluster") {
      switch operands {
      case ["import"]: return try ClusterChange.import(graph, invocation)
      case ["repair"]: return try ClusterChange.repair(graph, invocation)
      default: throw .usage(clusterMisuse(of: operands.first))
      }
    }
    switch (operands.first, operands.count) {
    case (nil, _):
      try refuseDryRun(invocation)
      try StateReport.report(try StateLocation(invocation), invocation)
    case ("reset", 2): try StateChange.reset(operands[1], invocation)
    case ("repair", 1): try StateChange.repair(invocation)
    case ("export", 1):
      try refuseDryRun(invocation)
      try StateChange.export(invocation)
    case ("import", 2):
      try refuseDryRun(invocation)
      try StateChange.import(operands[1], invocation)
    case (let word?, _): throw .usage(misuse(of: word))
    }
  }

  private static func clusterMisuse(of word: String?) -> String {
    let hint =
      switch word {
      case nil: "`signalbox cluster` shows its log, and `state repair --cluster GRAPH --dry-run` checks it"
      case "export": "a clustered graph needs no export: its log is on the servers"
      case "reset": "the log of a clustered graph can be repaired and imported, not reset"
      default: "import takes no file then, and repair no operand"
      }
    return "--cluster requires import or repair; \(hint)"
  }

  private static func misuse(of word: String) -> String {
    switch word {
    case "reset": return "state reset takes one GRAPH"
    case "import": return "state import takes one FILE, as state export prints it"
    case "repair", "export": return "state \(word) takes no operand"
    default:
      let hint = Suggestion.likely(for: word, among: ["reset", "repair", "export", "import"])
      return "unknown subcommand state \(word)"
        + (hint.map { "; did you mean \($0)?" } ?? "; known: reset GRAPH, repair, export, import FILE")
    }
  }

  private static func refuseDryRun(_ invocation: Invocation) throws(CommandError) {
    if invocation.has("dry-run") { throw .usage("--dry-run requires reset, repair or import --cluster") }
  }
}

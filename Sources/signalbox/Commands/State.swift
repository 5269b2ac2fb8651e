internal import Spelling

extension Command {
  static let state = Command(
    name: "state", operands: "[reset GRAPH|repair|export|import FILE]",
    kinds: [.word(["reset", "repair", "export", "import"]), .file],
    summary: "show what is kept of durable graphs, or change it",
    details: """
      Reads the folder beside a running daemon, or without one: its size, the newest snapshot, the last commit, how long the
      daemon would take to recover, and for each graph how many of its signals are durable, what they take in a snapshot,
      how many values have come to them since then, and how many messages of clients are remembered. One journal is kept
      for all durable graphs. The folder is that of --state, else the one that the configuration names, else
      $STATE_DIRECTORY, else \(StateLocation.defaultPath). Root and the daemon's own user may read it.

      The others change the folder, while no daemon runs with it. They ask nothing, and say what they have done; with
      --dry-run they only say what they would do.

      reset GRAPH has the signals of a graph begin afresh with the daemon's next start, and those of other durable graphs
      that are computed from them, as if they had been changed. Their numbers go on. All other signals stay exactly as
      they are.

      repair keeps the longest part of a damaged folder that is sound from its beginning, and says what is lost, and since
      when. The damaged database is kept beside the new one.

      export prints a file with the state of all durable graphs, as they are now, for import into an empty folder, such
      as another machine's. It may be done beside a running daemon; their past is left behind. From the import on only
      one of the two may go on: clients take them for the same.
      """,
    options: StateLocation.options + [
      Option(name: "dry-run", letter: "n", doc: "say what would be done, and change nothing")
    ],
    isOffline: true,
    examples: [
      Example("sudo signalbox state", "what the daemon would go on from"),
      Example("signalbox state --json --state /var/lib/signalbox", "for programs"),
      Example("sudo signalbox state reset climate", "have one graph forget everything"),
      Example("sudo signalbox state repair --dry-run", "what damage has cost"),
      Example("sudo signalbox state export > graphs.state", "take the state along"),
      Example("sudo signalbox state import graphs.state", "go on from it elsewhere"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(0...2)
    switch (operands.first, operands.count) {
    case (nil, _):
      try refuseDryRun(invocation)
      try StateReport.tell(try StateLocation(invocation), invocation)
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

  private static func misuse(of word: String) -> String {
    switch word {
    case "reset": return "state reset takes one GRAPH"
    case "import": return "state import takes one FILE, as state export prints it"
    case "repair", "export": return "state \(word) takes nothing behind it"
    default:
      let hint = Suggestion.likely(for: word, among: ["reset", "repair", "export", "import"])
      return "state has no \(word)"
        + (hint.map { "; did you mean \($0)?" } ?? ": it takes nothing, reset GRAPH, repair, export, or import FILE")
    }
  }

  private static func refuseDryRun(_ invocation: Invocation) throws(CommandError) {
    if invocation.has("dry-run") { throw .usage("--dry-run goes with reset and repair") }
  }
}

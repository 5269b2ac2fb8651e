internal import Journal
internal import Linux
internal import Persistence
internal import SignalGraph
internal import Spelling
internal import WireProtocol

extension Command {
  static let history = Command(
    name: "history", operands: "SIGNAL|PATTERN…", kinds: [.listed(.signal)],
    summary: "print what entered durable graphs",
    details: """
      Prints the values and endings that were sent to them, what came from other graphs, files and programs, and restarts,
      in the lines that simulate reads and that a test is written from. It goes back as far as the graphs keep their
      past, by "history" in their "durable"; without that, to the newest snapshot. It reads the folder beside a running
      daemon, or without one, as signalbox state does.

      Values that were sent have no "seq" and go through the pipe of their signal again; the others have, and stand behind
      it. A simulation begins with nothing: what the graphs remembered at the first line is not in the lines.
      """,
    options: [
      Command.Option(
        name: "since", argument: "TIME", doc: "from then on: a moment such as 2026-05-01T12:00:00Z, or so long ago"),
      Command.Option(name: "until", argument: "TIME", doc: "up to then: a moment, or so long ago"),
    ] + StateLocation.options,
    isOffline: true,
    examples: [
      Example("sudo signalbox history --since 2h 'climate.*'", "the last two hours"),
      Example(
        "sudo signalbox history --since 24h 'climate.*' | signalbox simulate new.yaml",
        "what would have come of them under another configuration"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(1...Int.max)
    var patterns: [SignalPattern] = []
    for text in operands { patterns.append(try invocation.pattern(text)) }
    let since = try time(invocation, "since") ?? .min
    let until = try time(invocation, "until") ?? .max
    guard since <= until else { throw .usage("--since is after --until") }
    let location = try StateLocation(invocation)
    var history = try location.access { path throws(StorageError) in
      History(of: try FolderReader(path), in: since...until) { name in patterns.contains { $0.matches(name) } }
    }
    for part in try location.translating({ () throws(StorageError) in try history.parts() }) {
      for line in try location.translating({ () throws(StorageError) in try history.lines(behind: part) }) {
        invocation.output.line(line)
        try invocation.output.flushIfLarge()
      }
    }
    for pattern in patterns where !history.names.contains(where: pattern.matches) {
      let hint = Suggestion.likely(for: pattern.text, among: history.names.sorted()).map { "; did you mean \($0)?" }
      throw CommandError(.unknown, "no signal \(pattern.text) in the durable graphs of that time\(hint ?? "")")
    }
  }

  private static func time(_ invocation: Invocation, _ option: String) throws(CommandError) -> Int64? {
    guard let text = invocation.text(option) else { return nil }
    switch RecordedTime(text) {
    case .moment(let microseconds)?: return microseconds
    case .sinceStart(let age)?: return WallTime.now().microseconds - Int64(age / .microseconds(1))
    case nil: throw .usage("--\(option) is a moment such as 2026-05-01T12:00:00Z or a duration such as 2h, not \(text)")
    }
  }
}

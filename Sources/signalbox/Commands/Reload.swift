internal import JSON
internal import Linux
internal import WireProtocol

extension Command {
  static let reload = Command(
    name: "reload", operands: "", summary: "reload the configuration of the daemon",
    details: """
      Waits for the result: changed, added and removed signals are listed, kept signals are counted. If the
      configuration is invalid, every error is printed, with its source line if the file can be read; the old
      configuration stays active, and the status is 78. With --dry-run, reports the changes and the state that would be
      discarded: memories of operators and held values.
      """,
    options: [
      Option(name: "dry-run", letter: "n", doc: "report the changes and discarded state; apply nothing"),
      Option(
        name: "quiet", letter: "q", doc: "print only whether it was rejected; the errors are in the daemon's log"),
    ],
    examples: [
      Example("signalbox check --config /etc/signalbox/signalbox.yaml && signalbox reload", "check it first"),
      Example("signalbox reload --dry-run", "signals that would be kept or restarted"),
    ]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    let connection = try invocation.connect()
    var request = ReloadRequest()
    if invocation.has("dry-run") { request.dryRun = true }
    let id = try connection.send(request)
    while let line = try connection.next() {
      guard case .reply = line.kind, line.id == id || line.id == nil else { continue }
      let isQuiet = invocation.has("quiet")
      if let failure = line.failure { throw isQuiet ? failure : refusal(line, failure, invocation) }
      if !invocation.isJSON && !isQuiet { print(line, to: invocation.output) }
      return
    }
  }

  private static func print(_ answer: ServerLine, to output: Output) {
    let isDryRun = answer["dry_run"]?.value == .bool(true)
    output.line("\(isDryRun ? "would be " : "")generation \(answer.number("generation") ?? 0)")
    let kept = answer.strings("kept").count
    if kept > 0 { output.line("kept: \(kept) signal\(kept == 1 ? "" : "s")") }
    for (key, title) in [
      ("changed", "changed"), ("added", "added"), ("removed", "removed"), ("needs_restart", "needs a restart"),
    ] {
      let names = answer.strings(key)
      if !names.isEmpty { output.line("\(title): \(list(names))") }
    }
    for loss in answer.objects("losses") { output.line(line(of: loss)) }
  }

  /// Returns the line for the state that a signal would lose.
  private static func line(of loss: JSONObject) -> String {
    let memories = if case .array(let names)? = loss["memories"] { names.map(\.plainText) } else { [String]() }
    let values = if case .number(let count)? = loss["values"]?.plain { Int(count) } else { 0 }
    return LossText.line(loss.text("signal"), memories: memories, values: values, because: loss.text("because"))
  }

  /// Returns the first names, and the number of the others.
  private static func list(_ names: [String]) -> String {
    let most = 20
    let rest = names.count > most ? " and \(names.count - most) more" : ""
    return names.prefix(most).joined(separator: ", ") + rest
  }

  /// Prints each error with its position and its source line, and returns the refusal.
  private static func refusal(_ answer: ServerLine, _ failure: CommandError, _ invocation: Invocation) -> CommandError {
    guard case .array(let elements)? = answer.error?["errors"] else { return failure }
    let errors = elements.compactMap { if case .object(let error) = $0 { error } else { nil } }
    let paths =
      RefusalText.hasRelativeNames(errors) ? try? DaemonPaths(at: invocation.socketPath, invocation.output) : nil
    invocation.output.complain(RefusalText(errors: errors, configuration: paths?.configuration).lines)
    return failure
  }
}

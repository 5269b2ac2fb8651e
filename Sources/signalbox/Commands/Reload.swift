internal import JSON
internal import WireProtocol

extension Command {
  static let reload = Command(
    name: "reload", operands: "", summary: "have the daemon read its configuration again",
    details: """
      Waits for the verdict: what was changed, added or removed is named, what goes on is counted. If anything is wrong,
      every mistake is printed, the old configuration runs on, and the status is 78.
      """,
    options: [
      Option(
        name: "quiet", letter: "q", doc: "print nothing but that it was refused: the daemon's log has the mistakes")
    ],
    examples: [Example("signalbox check --config /etc/signalbox/signalbox.yaml && signalbox reload", "check it first")]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    let connection = try invocation.connect()
    let id = try connection.send(ReloadRequest())
    while let line = try connection.next() {
      guard case .reply = line.kind, line.id == id || line.id == nil else { continue }
      let isQuiet = invocation.has("quiet")
      if let failure = line.failure { throw isQuiet ? failure : refusal(line, failure) }
      if !invocation.isJSON && !isQuiet { print(line, to: invocation.output) }
      return
    }
  }

  private static func print(_ answer: ServerLine, to output: Output) {
    output.line("generation \(answer.number("generation") ?? 0)")
    let kept = answer.strings("kept").count
    if kept > 0 { output.line("kept: \(kept) signal\(kept == 1 ? "" : "s")") }
    for (key, title) in [
      ("changed", "changed"), ("added", "added"), ("removed", "removed"), ("needs_restart", "needs a restart"),
    ] {
      let names = answer.strings(key)
      if !names.isEmpty { output.line("\(title): \(list(names))") }
    }
  }

  /// Names, as many as are worth reading, and how many more there are.
  private static func list(_ names: [String]) -> String {
    let most = 20
    let rest = names.count > most ? " and \(names.count - most) more" : ""
    return names.prefix(most).joined(separator: ", ") + rest
  }

  /// Each mistake with its place, then that it was refused.
  private static func refusal(_ answer: ServerLine, _ failure: CommandError) -> CommandError {
    guard case .array(let errors)? = answer.error?["errors"] else { return failure }
    for case .object(let error) in errors {
      let place = ["file", "line", "column"].map(error.text).filter { !$0.isEmpty }.joined(separator: ":")
      let hint = error.text("suggestion").isEmpty ? "" : "; did you mean \"\(error.text("suggestion"))\"?"
      printError(
        "\(place): \(error["severity"] == nil ? "error" : error.text("severity")): \(error.text("message"))\(hint)")
    }
    return failure
  }
}

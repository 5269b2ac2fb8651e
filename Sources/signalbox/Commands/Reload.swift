internal import JSON
internal import WireProtocol

extension Command {
  static let reload = Command(
    name: "reload", operands: "", summary: "have the daemon read its configuration again",
    details: """
      Waits for the verdict. If anything is wrong, every mistake is printed, the old configuration runs on, and the
      status is 78.
      """,
    examples: [Example("signalbox check --config /etc/signalbox/signalbox.yaml && signalbox reload", "check it first")]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    let connection = try invocation.connect()
    let id = try connection.send(ReloadRequest())
    while let line = try connection.next() {
      guard case .reply = line.kind, line.id == id || line.id == nil else { continue }
      if let failure = line.failure { throw refusal(line, failure) }
      if !invocation.isJSON { print(line, to: invocation.output) }
      return
    }
  }

  private static func print(_ answer: ServerLine, to output: Output) {
    output.line("generation \(answer.number("generation") ?? 0)")
    for (key, title) in [
      ("kept", "kept"), ("changed", "changed"), ("added", "added"), ("removed", "removed"),
      ("needs_restart", "needs a restart"),
    ] {
      let names = answer.strings(key)
      if !names.isEmpty { output.line("\(title): \(names.joined(separator: ", "))") }
    }
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

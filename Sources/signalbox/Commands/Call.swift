internal import JSON
internal import WireProtocol

extension Command {
  static let call = Command(
    name: "call", operands: "ACTION [VALUE]", kinds: [.listed(.action), .anything],
    summary: "run an action and print what it outputs",
    details: "VALUE is JSON, passed to the program's standard input. Interrupting the command also stops the program.",
    options: [ValueText.option],
    examples: [
      Example(#"signalbox call climate.fan '{"speed":2}'"#, "run it with a value"),
      Example("signalbox call backup.now", "run it without a value"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(1...2)
    var request = CallRequest()
    request.action = operands[0]
    if operands.count == 2 { request.value = .value(try value(operands[1])) }
    let connection = try invocation.connect()
    let id = try connection.send(request)
    while let line = try connection.next() {
      if let failure = line.failure { throw failure }
      if line.kind == .reply("call") && line.id == id { return }
      if line.kind == .event("next") && !invocation.isJSON {
        invocation.output.value(ValueText.bytes(line["value"], isRaw: invocation.has("raw")))
      }
    }
  }

  private static func value(_ text: String) throws(CommandError) -> JSONValue {
    let bytes = Array(text.utf8)
    do { return try JSONParser.value(onThisThread: bytes.span) } catch {
      throw CommandError(.badValue, "invalid JSON \(text): \(error.message), at byte \(error.offset)")
    }
  }
}

internal import JSON
internal import WireProtocol

extension Command {
  static let describe = Command(
    name: "describe", operands: "SIGNAL|GRAPH", kinds: [.listed(.either)],
    summary: "show the declaration and state of a signal, or of all signals of a graph",
    details: """
      On a terminal, prints the held value and the declaration as YAML. In a pipe, each line is KEY, a tab, VALUE, with a blank line
      between signals; names in a list are separated by commas, and the declaration is JSON. With --json, prints the
      daemon's answer.
      """,
    examples: [
      Example("signalbox describe climate.alarm", "one signal"),
      Example("signalbox describe climate", "every signal of a graph"),
    ]
  ) { invocation throws(CommandError) in
    let name = try invocation.operands(1...1)[0]
    var request = DescribeRequest()
    request.place = true
    if name.contains(".") { request.signal = name } else { request.graph = name }
    if invocation.output.isForPeople { return try show(request, invocation) }
    guard let answer = try invocation.ask(request) else { return }
    for (index, signal) in signals(of: answer, request).enumerated() {
      if index > 0 { invocation.output.line("" as String) }
      var table = Table("", "")
      for member in signal.members where !["reply", "id"].contains(member.key) {
        table.add(member.key, text(member.value))
      }
      table.print(to: invocation.output)
    }
  }

  private static func signals(of answer: ServerLine, _ request: DescribeRequest) -> [JSONObject] {
    request.graph == nil ? [answer.object] : answer.objects("signals")
  }

  private static func show(_ request: DescribeRequest, _ invocation: Invocation) throws(CommandError) {
    let connection = try invocation.connect()
    let signals = signals(of: try connection.ask(request), request)
    let emitting = signals.filter { $0["at"] != nil }
    var values = try HeldValues.read(emitting.filter { $0["ended"] == nil }.map { $0.text("signal") }, connection)
    // A signal that has ended is not read by `get`, but keeps the value that it held.
    for name in emitting.filter({ $0["ended"] != nil }).map({ $0.text("signal") }) {
      guard let pattern = SignalPattern(name) else { continue }
      values.merge(try HeldValues.read(matching: pattern, connection)) { $1 }
    }
    for (index, signal) in signals.enumerated() {
      if index > 0 { invocation.output.line("" as String) }
      let text = DescriptionText(description: signal, value: values[signal.text("signal")])
      invocation.output.lines(text.lines)
    }
  }

  /// Names are joined by commas; everything else is JSON.
  private static func text(_ value: JSONValue) -> String {
    switch value.plain {
    case .string(let string): string
    case .array(let elements): elements.map(text).joined(separator: ", ")
    default: value.description
    }
  }
}

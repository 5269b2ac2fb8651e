internal import JSON
internal import WireProtocol

extension Command {
  static let describe = Command(
    name: "describe", operands: "SIGNAL|GRAPH", kinds: [.signal],
    summary: "show how a signal, or each of a graph, is declared and fares",
    examples: [
      Example("signalbox describe climate.alarm", "one signal"),
      Example("signalbox describe climate", "every signal of a graph"),
    ]
  ) { invocation throws(CommandError) in
    let name = try invocation.operands(1...1)[0]
    var request = DescribeRequest()
    if name.contains(".") { request.signal = name } else { request.graph = name }
    guard let answer = try invocation.ask(request) else { return }
    guard request.graph != nil else { return print(answer.object, to: invocation.output) }
    for (index, signal) in answer.objects("signals").enumerated() {
      if index > 0 { invocation.output.line("") }
      print(signal, to: invocation.output)
    }
  }

  private static func print(_ object: JSONObject, to output: Output) {
    var table = Table("", "")
    for member in object.members where member.key != "reply" && member.key != "id" {
      table.add(member.key, text(member.value))
    }
    table.printRows(to: output)
  }

  /// Names stand in a row; everything else is JSON, so that it can be copied into a configuration.
  private static func text(_ value: JSONValue) -> String {
    switch value.plain {
    case .string(let string): string
    case .array(let elements): elements.map(text).joined(separator: ", ")
    default: value.description
    }
  }
}

internal import GraphModel
internal import JSON
internal import WireProtocol

extension Command {
  static let list = Command(
    name: "list", operands: "[PATTERN]", kinds: [.listed(.signal)], summary: "list the visible signals",
    details: """
      On a terminal, the signals of each graph stand together, with their values and units; STATE tells which have
      ended or failed, the severity that their values demand attention with, how many values wait in their calls of actions, the last failure of a call, and a connection that
      is away. In a pipe, each line is SIGNAL, KIND, YOU MAY, VALUE (held or -), ENDED, DOC and UNIT, separated by tabs.
      """,
    examples: [
      Example("signalbox list", "all signals"),
      Example("signalbox list 'climate.*'", "signals of one graph"),
      Example("signalbox list | cut -f1", "names only"),
    ]
  ) { invocation throws(CommandError) in
    var request = ListRequest()
    for text in try invocation.operands(0...1) { request.pattern = try invocation.pattern(text) }
    if invocation.output.isForPeople { return try show(request, invocation) }
    guard let answer = try invocation.ask(request) else { return }
    try check(answer, request)
    // A new column must be the last.
    var table = Table("SIGNAL", "KIND", "YOU MAY", "VALUE", "ENDED", "DOC", "UNIT")
    for signal in answer.objects("signals") {
      let rights = [("send", "send"), ("subscribe", "subscribe")].filter { signal[$0.0] == true }.map(\.1)
      table.add([
        MarkedText(signal.text("signal"), .title), MarkedText(signal.text("kind")),
        MarkedText(rights.joined(separator: ",")), signal["held"] == true ? "held" : "-",
        SignalListText.end(of: signal), MarkedText(signal.text("doc"), .aside), MarkedText(signal.text("unit")),
      ])
    }
    table.print(to: invocation.output)
  }

  private static func check(_ answer: ServerLine, _ request: ListRequest) throws(CommandError) {
    if let pattern = request.pattern, answer.objects("signals").isEmpty { throw .nothing(coveredBy: pattern) }
  }

  private static func show(_ request: ListRequest, _ invocation: Invocation) throws(CommandError) {
    let connection = try invocation.connect()
    let answer = try connection.ask(request)
    try check(answer, request)
    let signals = answer.objects("signals")
    let holding = signals.filter { $0["held"] == true && $0["subscribe"] == true }.map { $0.text("signal") }
    let values = try HeldValues.read(holding, connection)
    let text = SignalListText(signals: signals, values: values)
    text.table(width: invocation.output.width).print(to: invocation.output)
  }
}

internal import GraphModel
internal import JSON
internal import WireProtocol

extension Command {
  static let list = Command(
    name: "list", operands: "[PATTERN]", kinds: [.listed(.signal)], summary: "list the visible signals",
    details: """
      On a terminal, the signals of each graph stand together, with their values and units; STATE tells which have
      ended or failed, the severity that their values demand attention with, how many values wait in their calls of
      actions, a call, a publication or a source that fails, a source or senders that wait for full queues, and a
      connection that is away. Names that are too long for the terminal have … in their middle. In a pipe, each line is
      SIGNAL, KIND, YOU MAY, HELD (held or -), ENDED, DOC, UNIT and VALUE, separated by tabs.
      """,
    examples: [
      Example("signalbox list", "all signals"),
      Example("signalbox list 'climate.*'", "signals of one graph"),
      Example("signalbox list | cut -f1", "names only"),
    ]
  ) { invocation throws(CommandError) in
    var request = ListRequest()
    for text in try invocation.operands(0...1) { request.pattern = try invocation.pattern(text) }
    let connection = try invocation.connect()
    let answer = try connection.ask(request)
    if invocation.isJSON { return }
    if let pattern = request.pattern, answer.objects("signals").isEmpty { throw .nothing(coveredBy: pattern) }
    let signals = answer.objects("signals")
    let isHolding = signals.contains { $0["held"] == true && $0["subscribe"] == true }
    let values = isHolding ? try HeldValues.read(matching: request.pattern, connection) : [:]
    if invocation.output.isForPeople {
      let text = SignalListText(signals: signals, values: values)
      return text.table(width: invocation.output.width).print(to: invocation.output)
    }
    // A new column must be the last.
    var table = Table("SIGNAL", "KIND", "YOU MAY", "HELD", "ENDED", "DOC", "UNIT", "VALUE")
    for signal in signals {
      let rights = [("send", "send"), ("subscribe", "subscribe")].filter { signal[$0.0] == true }.map(\.1)
      table.add([
        MarkedText(signal.text("signal"), .title), MarkedText(signal.text("kind")),
        MarkedText(rights.joined(separator: ",")), signal["held"] == true ? "held" : "-",
        SignalListText.end(of: signal), MarkedText(signal.text("doc"), .aside), MarkedText(signal.text("unit")),
        MarkedText(values[signal.text("signal")] ?? ""),
      ])
    }
    table.print(to: invocation.output)
  }
}

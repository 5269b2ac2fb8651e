internal import JSON
internal import SignalGraph
internal import WireProtocol

extension Command {
  static let list = Command(
    name: "list", operands: "[PATTERN]", kinds: [.listed(.signal)], summary: "list the signals that you may see",
    examples: [
      Example("signalbox list", "all of them"),
      Example("signalbox list 'climate.*'", "those of a graph"),
      Example("signalbox list | cut -f1", "their names alone"),
    ]
  ) { invocation throws(CommandError) in
    var request = ListRequest()
    for text in try invocation.operands(0...1) { request.pattern = try invocation.pattern(text) }
    guard let answer = try invocation.ask(request) else { return }
    if let pattern = request.pattern, answer.objects("signals").isEmpty { throw .nothing(coveredBy: pattern) }
    var table = Table("SIGNAL", "KIND", "YOU MAY", "VALUE", "ENDED", "DOC")
    for signal in answer.objects("signals") {
      let rights = [("send", "send"), ("subscribe", "subscribe")].filter { signal[$0.0] == true }.map(\.1)
      table.add([
        MarkedText(signal.text("signal"), .title), MarkedText(signal.text("kind")),
        MarkedText(rights.joined(separator: ",")), signal["held"] == true ? "held" : "-", ended(signal),
        MarkedText(signal.text("doc"), .aside),
      ])
    }
    table.print(to: invocation.output)
  }

  /// The end of a signal, in a few words.
  private static func ended(_ signal: JSONObject) -> MarkedText {
    guard case .object(let end)? = signal["ended"] else { return "-" }
    guard case .object(let error)? = end["error"] else { return MarkedText(end.text("event"), .warning) }
    return MarkedText("\(end.text("event")): \(error.text("code"))", .error)
  }
}

internal import JSON
internal import WireProtocol

extension Command {
  static let get = Command(
    name: "get", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "print the value that a signal holds",
    details: """
      One signal prints its value alone, several print their names too. Without --wait, a signal that holds no value
      is an error (status 75). Of the signals that a pattern covers, those are printed that hold one.
      """,
    options: [
      Option(name: "wait", letter: "w", doc: "wait for a value if there is none (see signalbox wait)"),
      ValueText.option,
    ] + Waiter.options,
    examples: [
      Example("signalbox get climate.smooth", "21.5"),
      Example("signalbox get 'climate.*'", "all values of a graph, with their names"),
      Example("limit=$(signalbox get climate.limit)", "use it in a script"),
      Example("signalbox get --wait --timeout 10s climate.smooth", "or the first one to come"),
    ]
  ) { invocation throws(CommandError) in
    let names = try invocation.operands(1...Int.max)
    let isRaw = invocation.has("raw")
    if ["wait", "where", "timeout"].contains(where: invocation.has) {
      for signal in try invocation.operands(1...1) { try Waiter(invocation).wait(for: signal, isRaw: isRaw) }
      return
    }
    let signals = try invocation.held(names)
    let connection = try invocation.connect()
    var table = Table("SIGNAL", "VALUE")
    for signal in signals {
      let value = try connection.ask(GetRequest(signal: signal, timestamps: invocation.isJSON ? true : nil))["value"]
      let text = ValueText.bytes(value, isRaw: isRaw)
      if invocation.isJSON { continue }
      if signals == names, signals.count == 1 { return invocation.output.value(text) }
      table.add(signal, String(decoding: text, as: UTF8.self))
    }
    if !invocation.isJSON { table.print(to: invocation.output) }
  }
}

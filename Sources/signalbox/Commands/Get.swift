internal import JSON
internal import Persistence
internal import WireProtocol

extension Command {
  static let get = Command(
    name: "get", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "print the value that a signal holds",
    details: """
      One signal prints its value only, several print their names too. Without --wait, a signal that holds no value is
      an error (status 75). A pattern selects the signals that hold a value.

      With --seq or --at, prints an earlier value of one signal of a durable graph, from the state folder beside the
      daemon, as signalbox why does.
      """,
    options: [
      Option(name: "wait", letter: "w", doc: "wait for a value if there is none (see signalbox wait)"),
      ValueText.option,
      Option(name: "seq", argument: "SEQ", doc: "the value with this number"),
      Option(name: "at", argument: "TIME", doc: "the value held at that time: a timestamp, or a duration ago"),
    ] + Waiter.options + StateLocation.options,
    examples: [
      Example("signalbox get climate.smooth", "21.5"),
      Example("signalbox get 'climate.*'", "all values of a graph, with their names"),
      Example("limit=$(signalbox get climate.limit)", "use it in a script"),
      Example("sudo signalbox get --at 10m climate.smooth", "the value held ten minutes ago"),
      Example("signalbox get --wait --timeout 10s climate.smooth", "or the next one"),
    ]
  ) { invocation throws(CommandError) in
    let names = try invocation.operands(1...Int.max)
    let isRaw = invocation.has("raw")
    if ["seq", "at"].contains(where: invocation.has) { return try explainPast(invocation) }
    if ["state", "config"].contains(where: invocation.has) {
      throw .usage("--state and --config require --seq or --at")
    }
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
      let unit = invocation.output.isForPeople && !isRaw ? try connection.unit(of: signal) : ""
      let shown = unit.isEmpty ? text : text + Array(" \(unit)".utf8)
      if signals == names, signals.count == 1 { return invocation.output.value(shown) }
      table.add(signal, String(decoding: shown, as: UTF8.self))
    }
    if !invocation.isJSON { table.print(to: invocation.output) }
  }

  private static func explainPast(_ invocation: Invocation) throws(CommandError) {
    let signal = try invocation.operands(1...1)[0]
    let (number, moment) = (invocation.text("seq"), try invocation.moment("at"))
    if number != nil, moment != nil { throw .usage("either --seq or --at, not both") }
    if ["wait", "where", "timeout"].contains(where: invocation.has) {
      throw .usage("--wait cannot be combined with --seq or --at")
    }
    let target = LookingBack.Target.moment(moment ?? 0)
    let wanted = try number.map { text throws(CommandError) in .number(try invocation.sequence(text)) } ?? target
    let value = try invocation.lookBack(at: signal) { past throws(LookingBack.Refusal) in try past.value(wanted) }
    if invocation.isJSON { return invocation.output.line(value.line(of: signal)) }
    invocation.output.value(ValueText.bytes(RawJSON(validated: value.payload.value.json), isRaw: invocation.has("raw")))
  }
}

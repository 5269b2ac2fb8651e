internal import GraphModel
internal import JSON
internal import WireProtocol

extension Command {
  static let values = Command(
    name: "values", operands: "[PATTERN]", kinds: [.listed(.subscribable)],
    summary: "print the values that signals hold, with their times",
    details: """
      Each line is SIGNAL, VALUE, AT, SEQ and UNIT, separated by tabs. Starts nothing: a lazy signal has the value that it
      retained. With --history, the retained values of that period, and the one held at its beginning.
      """,
    options: [
      Option(name: "history", argument: "DURATION", doc: "also the retained values of this period"),
      Option(name: "step", argument: "DURATION", doc: "with --history: the last value of each such interval"),
      ValueText.option,
    ],
    examples: [
      Example("signalbox values", "everything that is held now"),
      Example("signalbox values 'climate.*'", "a graph"),
      Example("signalbox values --history 1h --step 1m climate.smooth", "an hour, minute by minute"),
    ]
  ) { invocation throws(CommandError) in
    var request = ValuesRequest()
    for text in try invocation.operands(0...1) { request.pattern = try invocation.pattern(text) }
    request.history = try invocation.option("history")
    request.step = try invocation.option("step")
    if request.step != nil, request.history == nil { throw .usage("--step requires --history") }
    guard let answer = try invocation.ask(request) else { return }
    let samples = answer.objects("values")
    if samples.isEmpty, let pattern = request.pattern {
      throw CommandError(.notYet, "no signal that matches \(pattern.text) holds a value")
    }
    let isRaw = invocation.has("raw")
    var table = Table("SIGNAL", "VALUE", "AT", "SEQ", "UNIT")
    for sample in samples {
      let value = RawJSON(validated: Array((sample["value"] ?? .null).description.utf8))
      table.add([
        MarkedText(sample.text("signal"), .title),
        MarkedText(String(decoding: ValueText.bytes(value, isRaw: isRaw), as: UTF8.self)),
        MarkedText(sample.text("at"), .aside), MarkedText((sample["seq"] ?? .null).description),
        MarkedText(sample.text("unit")),
      ])
    }
    table.print(to: invocation.output)
  }
}

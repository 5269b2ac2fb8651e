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
    // In a history the time matters most.
    let dispensable = request.history == nil ? ["SEQ", "AT"] : ["SEQ", "UNIT"]
    table(of: samples, isRaw: isRaw, width: invocation.output.width, dispensing: dispensable)
      .print(to: invocation.output)
  }

  /// The lengths to which values are shortened, until the table fits the terminal; times are then without fractions.
  private static let longestValues = [40, 24, 12]
  /// The length of a time up to its seconds: `2026-05-01T12:00:00`.
  private static let wholeSeconds = 19

  /// Returns the table with the columns, values and names that a terminal has room for; `get` shows the whole value.
  private static func table(of samples: [JSONObject], isRaw: Bool, width: Int?, dispensing titles: [String]) -> Table {
    var table = table(of: samples, isRaw: isRaw, longestValue: .max)
    if table.fits(width) { return table }
    for longest in [.max] + longestValues {
      let dispensable = longest == longestValues.last ? titles : Array(titles.prefix(1))
      table = Self.table(of: samples, isRaw: isRaw, longestValue: longest).fitted(to: width, dispensing: dispensable)
      if table.fits(width) { break }
    }
    return table.shorteningNames(to: width)
  }

  private static func table(of samples: [JSONObject], isRaw: Bool, longestValue: Int) -> Table {
    var table = Table("SIGNAL", "VALUE", "AT", "SEQ", "UNIT")
    for sample in samples {
      let raw = RawJSON(validated: Array((sample["value"] ?? .null).description.utf8))
      var value = String(decoding: ValueText.bytes(raw, isRaw: isRaw), as: UTF8.self)
      if value.count > longestValue, case .number(let number)? = sample["value"]?.plain {
        value = RoundedNumber.text(number, value, precision: nil)
      }
      let time = sample.text("at")
      table.add([
        MarkedText(sample.text("signal"), .title),
        MarkedText(value.count > longestValue ? value.prefix(longestValue - 1) + "…" : value),
        MarkedText(longestValue < .max ? time.prefix(Self.wholeSeconds) + "Z" : time, .aside),
        MarkedText((sample["seq"] ?? .null).description),
        MarkedText(sample.text("unit")),
      ])
    }
    return table
  }
}

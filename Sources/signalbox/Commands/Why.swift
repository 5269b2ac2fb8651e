internal import GraphModel
internal import GraphTools
internal import JSON
internal import Linux
internal import Persistence
internal import Signals

extension Command {
  static let why = Command(
    name: "why", operands: "SIGNAL [SEQ]", kinds: [.listed(.signal)],
    summary: "explain the provenance of a value of a durable graph",
    details: """
      SEQ is the sequence number of the value; the default is the last value, or the end of an ended signal. The answer
      is a tree, newest first: the value; the operators that produced it, each with its place in the file and its input;
      the original input or timer, with sender and time. A dot marks what an operator read in addition: what it
      remembered, and the origin of that.

      Reads the state folder, with or without a running daemon, starts from a snapshot before the value, and computes
      everything again from there. Reaches back as far as the graphs keep their history ("history" in their "durable"),
      otherwise to the newest snapshot.

      With --not, explains the absence of a value: for the inputs around --at, how far each got, and which operator
      dropped it.
      """,
    options: [
      Option(name: "at", argument: "TIME", doc: "the value held at that time: a timestamp, or a duration ago"),
      Option(name: "not", doc: "explain the absence of a value, at --at or now"),
      Option(
        name: "depth", argument: "N", doc: "depth to which other values read are followed, from 0 (default) to 100"),
      Option(
        name: "verify", doc: "verify: replay only the needed inputs; status 1 if the value differs"),
      Option(
        name: "format", letter: "f", argument: "FORMAT",
        doc: "text (default), json, or svg (the graph with the path)",
        kind: .word(formats)),
      Option(name: "json", letter: "j", doc: "the same as --format json"),
    ] + StateLocation.ownOptions,
    isOffline: true,
    examples: [
      Example("sudo signalbox why climate.alarm", "its current value"),
      Example("sudo signalbox why --depth 2 climate.alarm 7", "its seventh value, and the remembered values behind it"),
      Example("sudo signalbox why --not climate.alarm --at 10m", "why it emitted nothing ten minutes ago"),
      Example("sudo signalbox why --format svg climate.alarm > why.svg", "a picture"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(1...2)
    let moment = try invocation.moment("at")
    if invocation.has("not") {
      if operands.count > 1 { throw .usage("--not takes a SIGNAL and an optional --at, but no SEQ") }
      return try explainSilence(of: operands[0], at: moment ?? WallTime.now().microseconds, invocation)
    }
    if operands.count > 1, moment != nil { throw .usage("either SEQ or --at, not both") }
    let number = operands.count > 1 ? try invocation.sequence(operands[1]) : nil
    let target = number.map(LookingBack.Target.number) ?? moment.map(LookingBack.Target.moment) ?? .latest
    let depth = try depth(invocation)
    let format = try format(invocation)
    let past = try invocation.lookBack(at: operands[0]) { past throws(LookingBack.Refusal) in
      try past.explanation(target, depth: depth, verifies: invocation.has("verify"))
    }
    report(past, of: operands[0], as: format, invocation)
    if past.isVerified == false {
      throw CommandError(.failed, "replay of the needed inputs does not reproduce the value")
    }
  }

  private static let formats = ["text", "json", "svg"]

  private static func format(_ invocation: Invocation) throws(CommandError) -> String {
    let format = invocation.text("format") ?? (invocation.isJSON ? "json" : "text")
    if formats.contains(format), !invocation.isJSON || format == "json" { return format }
    throw .usage("--format must be text, json or svg, not \(format)")
  }

  private static func depth(_ invocation: Invocation) throws(CommandError) -> Int {
    guard let text = invocation.text("depth") else { return 0 }
    guard let depth = Int(text), 0...100 ~= depth else {
      throw .usage("--depth must be a number from 0 to 100, not \(text)")
    }
    return depth
  }

  // MARK: Output

  private static func report(
    _ past: PastExplanation, of signal: String, as format: String, _ invocation: Invocation
  ) {
    let origin = { (entry: Int) -> EntryOrigin? in past.origins[entry].flatMap(named) }
    let time = { (node: Explanation.Node) in RecordedTime.moment(microseconds: node.microseconds) }
    switch format {
    case "json":
      var object = ExplanationObject(origin: origin, time: time).object(of: past.explanation)
      object["since"] = .string("\(RecordedTime.moment(microseconds: past.beginning))")
      object["upstream"] = upstream(of: signal, past.configuration)
      if let isVerified = past.isVerified { object["verified"] = .bool(isVerified) }
      invocation.output.line(JSONValue.object(object).json)
    case "svg":
      for line in past.configuration.picture(of: past.explanation).split(separator: "\n") {
        invocation.output.line(String(line))
      }
    default:
      let text = ExplanationText(past.explanation, origin: origin, time: time)
      let needed = ExplanationText.neededLines(past.explanation, origin: origin) { .moment(microseconds: $0) }
      invocation.output.lines(text.lines + [MarkedText(needs(past), .aside)] + needed)
    }
  }

  /// Returns an entry with the name of its user; `nil` for an action's internal signal, which no list shows.
  private static func named(_ origin: EntryOrigin) -> EntryOrigin? {
    let segments = origin.signal?.split(separator: ".") ?? []
    return segments.count == 3 && segments[2] == "condition" ? nil : origin.named(by: Accounts.userName)
  }

  /// Returns all direct and indirect upstream signals: those whose values an explanation may show.
  private static func upstream(of signal: String, _ configuration: Configuration) -> JSONValue {
    .array(configuration.origins(of: signal).sorted().map { .string($0) })
  }

  private static func needs(_ past: PastExplanation) -> String {
    if past.explanation.entries == 0 { return "needs no input" }
    let (needed, all) = (past.explanation.needed.count, past.explanation.entries)
    let since = RecordedTime.moment(microseconds: past.beginning)
    let verdict =
      switch past.isVerified {
      case true?: "; verified by replay"
      case false?: "; replay does not reproduce it"
      case nil: ""
      }
    let correction = past.declaredCount.map { $0 == needed ? "" : ", not \($0) but \(needed)" } ?? ""
    return "needs \(needed) of \(all) input\(all == 1 ? "" : "s") since \(since)\(correction)\(verdict)"
  }

  private static func explainSilence(of signal: String, at moment: Int64, _ invocation: Invocation) throws(CommandError)
  {
    let format = try format(invocation)
    if format == "svg" { throw .usage("--not requires --format text or json") }
    let past = try invocation.lookBack(at: signal) { past throws(LookingBack.Refusal) in try past.silence(at: moment) }
    let origin = { (entry: Int) -> EntryOrigin? in past.origins[entry].flatMap(named) }
    let time = { (instant: Instant, turn: Silence.Turn) in
      RecordedTime.moment(microseconds: turn.microseconds + Int64((instant - turn.instant) / .microseconds(1)))
    }
    if format == "json" {
      var object = SilenceObject(origin: origin, time: time).object(of: past.silence, of: signal)
      object["upstream"] = upstream(of: signal, past.configuration)
      return invocation.output.line(JSONValue.object(object).json)
    }
    let text = SilenceText(past.silence, of: signal, origin: origin, time: time)
    invocation.output.lines(text.lines)
  }
}

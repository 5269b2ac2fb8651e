internal import JSON
internal import Linux
internal import Persistence
internal import ReactiveCore
internal import SignalGraph

extension Command {
  static let why = Command(
    name: "why", operands: "SIGNAL [SEQ]", kinds: [.listed(.signal)],
    summary: "explain how a value of a durable graph came about",
    details: """
      SEQ is the number of the value, which events tell; without it and without --at the last one is meant, or the end of a
      signal that has ended. The answer is
      a tree, newest first: the value; the operators that made it, each with its place in the file and what it was given;
      what entered or the timer that ran, who sent it and when. A dot is before what an operator read besides: what it
      remembered, and where that came from.

      It reads the folder beside a running daemon, or without one, goes back to a snapshot before the value, and works
      everything out again from there. It goes back as far as the graphs keep their past, by "history" in their "durable";
      without that, to the newest snapshot.

      With --not it tells why nothing came: of what entered around --at, how far it got, and which operator let nothing
      through.
      """,
    options: [
      Option(name: "at", argument: "TIME", doc: "the value that it held then: a moment, or so long ago"),
      Option(name: "not", doc: "tell why nothing came around the time that --at gives"),
      Option(
        name: "depth", argument: "N", doc: "follow what was read besides so many steps back, from 0 (default) to 100"),
      Option(
        name: "verify", doc: "try it: let only what is named as needed enter again; status 1 if the value differs"),
      Option(
        name: "format", letter: "f", argument: "FORMAT",
        doc: "text (default), json, or svg: the graph with the way in it",
        kind: .word(formats)),
      Option(name: "json", letter: "j", doc: "the same as --format json"),
    ] + StateLocation.options,
    isOffline: true,
    examples: [
      Example("sudo signalbox why climate.alarm", "why it has the value that it has"),
      Example("sudo signalbox why --depth 2 climate.alarm 7", "its seventh value, and how what was remembered came"),
      Example("sudo signalbox why --not climate.alarm --at 10m", "why it did not ring ten minutes ago"),
      Example("sudo signalbox why --format svg climate.alarm > why.svg", "a picture"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(1...2)
    let moment = try invocation.moment("at")
    if invocation.has("not") {
      if operands.count > 1 || moment == nil { throw .usage("--not takes a SIGNAL and --at, and no SEQ") }
      return try tellSilence(of: operands[0], at: moment ?? 0, invocation)
    }
    if operands.count > 1, moment != nil { throw .usage("either SEQ or --at, not both") }
    let number = operands.count > 1 ? try invocation.sequence(operands[1]) : nil
    let target = number.map(LookingBack.Target.number) ?? moment.map(LookingBack.Target.moment) ?? .latest
    let depth = try depth(invocation)
    let format = try format(invocation)
    let past = try invocation.lookBack(at: operands[0]) { past throws(LookingBack.Refusal) in
      try past.explanation(target, depth: depth, verifies: invocation.has("verify"))
    }
    tell(past, of: operands[0], as: format, invocation)
    if past.isVerified == false {
      throw CommandError(.failed, "what it needs does not lead to the same value again by itself")
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
      throw .usage("--depth is a number from 0 to 100, not \(text)")
    }
    return depth
  }

  // MARK: Telling

  private static func tell(
    _ past: PastExplanation, of signal: String, as format: String, _ invocation: Invocation
  ) {
    let origin = { (entry: Int) -> EntryOrigin? in past.origins[entry] }
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
      for line in text.lines + [MarkedText(needs(past), .aside)] { invocation.output.line(line) }
    }
  }

  /// All signals that it was computed from, directly or not: those whose values an explanation may show.
  private static func upstream(of signal: String, _ configuration: Configuration) -> JSONValue {
    .array(configuration.origins(of: signal).sorted().map { .string($0) })
  }

  private static func needs(_ past: PastExplanation) -> String {
    if past.explanation.entries == 0 { return "nothing that entered is needed" }
    let (needed, all) = (past.explanation.needed.count, past.explanation.entries)
    let since = RecordedTime.moment(microseconds: past.beginning)
    let verdict =
      switch past.isVerified {
      case true?: "; by themselves they lead to it again"
      case false?: "; by themselves they do not lead to it again"
      case nil: ""
      }
    return "needs \(needed) of the \(all) things that entered since \(since)\(verdict)"
  }

  private static func tellSilence(of signal: String, at moment: Int64, _ invocation: Invocation) throws(CommandError) {
    let format = try format(invocation)
    if format == "svg" { throw .usage("--not is told as text or json") }
    let past = try invocation.lookBack(at: signal) { past throws(LookingBack.Refusal) in try past.silence(at: moment) }
    let origin = { (entry: Int) -> EntryOrigin? in past.origins[entry] }
    let time = { (instant: Instant, turn: Silence.Turn) in
      RecordedTime.moment(microseconds: turn.microseconds + Int64((instant - turn.instant) / .microseconds(1)))
    }
    if format == "json" {
      var object = SilenceObject(origin: origin, time: time).object(of: past.silence, of: signal)
      object["upstream"] = upstream(of: signal, past.configuration)
      return invocation.output.line(JSONValue.object(object).json)
    }
    let text = SilenceText(past.silence, of: signal, origin: origin, time: time)
    for line in text.lines { invocation.output.line(line) }
  }
}

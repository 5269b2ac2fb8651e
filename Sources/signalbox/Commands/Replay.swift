internal import WireProtocol

extension Command {
  static let replay = Command(
    name: "replay", operands: "[SIGNAL|PATTERN…]", kinds: [.listed(.input)],
    summary: "replay a recording to a running daemon",
    details: """
      Reads lines as record writes and simulate reads them from standard input, and sends their values and endings with
      the recorded timing to the given signals, or to all signals that this user may send to. Lines of other signals are
      skipped and listed at the end. Values held at the start of the recording are sent at once. A value received by
      several subscriptions is sent once, and a restarted signal is restarted if this recording ended it. Recorded
      values have passed through the pipe of their signal, and pass through it again.

      All lines are sent, even if some are rejected; the status is that of the first rejection.
      """,
    options: [
      Option(name: "speed", argument: "FACTOR", doc: "playback speed factor, such as 60 or 0.5; max for no pauses (1)")
    ],
    examples: [
      Example("signalbox replay < day.jsonl", "at the recorded speed"),
      Example("signalbox replay --speed 60 climate.raw < day.jsonl", "one input, an hour per minute"),
      Example("zcat climate.jsonl.gz | signalbox replay --speed max", "as fast as the daemon accepts it"),
    ]
  ) { invocation throws(CommandError) in
    var patterns: [SignalPattern] = []
    for text in try invocation.operands(0...Int.max) { patterns.append(try invocation.pattern(text)) }
    var replayer = try Replayer(try invocation.connect(), patterns, speed: try speed(invocation))
    try replayer.run()
  }

  /// A second in twelve days; the pauses of a lower one could be longer than any clock runs.
  private static let lowestSpeed = 0.000_001

  /// Returns the speed factor; `nil` for no pauses.
  private static func speed(_ invocation: Invocation) throws(CommandError) -> Double? {
    guard let text = invocation.text("speed") else { return 1 }
    if text == "max" { return nil }
    if let speed = Double(text), speed.isFinite, speed > 0 {
      guard speed >= lowestSpeed else { throw .usage("--speed must be at least \(lowestSpeed), not \(text)") }
      return speed
    }
    throw .usage("--speed must be a number above 0 or max, not \(text)")
  }
}

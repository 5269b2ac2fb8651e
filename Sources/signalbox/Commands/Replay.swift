internal import SignalGraph
internal import WireProtocol

extension Command {
  static let replay = Command(
    name: "replay", operands: "[SIGNAL|PATTERN…]", kinds: [.listed(.input)],
    summary: "send a recording to a running daemon",
    details: """
      Reads the lines that record writes and simulate reads from standard input, and sends the values and endings in them
      at the pace at which they came: to the signals that are named, else to all that this user may send to. Lines of
      other signals are passed over, and told at the end. Values that were held when the recording began are sent at once.
      A value that several subscriptions brought is sent once, and a signal that was started anew is restarted if this
      recording ended it. What was recorded has gone through the pipe of its signal, and does so again.

      All is sent, whatever is refused; the status is that of the first refusal.
      """,
    options: [
      Option(name: "speed", argument: "FACTOR", doc: "so many times as fast: 60, 0.5; max makes no pauses (1)")
    ],
    examples: [
      Example("signalbox replay < day.jsonl", "at the recorded pace"),
      Example("signalbox replay --speed 60 climate.raw < day.jsonl", "an hour in a minute, one input"),
      Example("zcat climate.jsonl.gz | signalbox replay --speed max", "as fast as the daemon takes it"),
    ]
  ) { invocation throws(CommandError) in
    var patterns: [SignalPattern] = []
    for text in try invocation.operands(0...Int.max) { patterns.append(try invocation.pattern(text)) }
    var replayer = try Replayer(try invocation.connect(), patterns, speed: try speed(invocation))
    try replayer.run()
  }

  /// `nil` for no pauses at all.
  private static func speed(_ invocation: Invocation) throws(CommandError) -> Double? {
    guard let text = invocation.text("speed") else { return 1 }
    if text == "max" { return nil }
    if let speed = Double(text), speed.isFinite, speed > 0 { return speed }
    throw .usage("--speed must be a number above 0 or max, not \(text)")
  }
}

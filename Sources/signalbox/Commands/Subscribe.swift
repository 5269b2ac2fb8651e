internal import JSON
internal import WireProtocol

extension Command {
  static let subscribe = Command(
    name: "subscribe", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "follow the values of signals",
    details: """
      In a pattern, * stands for one segment of a name, or for a part of it: 'climate.*', '*.alarm', 'host.*_load' (quoted
      for the shell). In a pipe, one signal prints its values only, one per line; a pattern or several signals print
      NAME, a tab, VALUE. Ends when every named signal has ended, or with --take. With --follow, reconnects after a
      restart of the daemon, resumes there, and reports values that are lost.
      """,
    options: [
      Option(
        name: "follow", letter: "f", doc: "wait for the daemon, and reconnect when the connection is lost"),
      Option(name: "take", letter: "n", argument: "N", doc: "stop after this many values"),
      Option(name: "replay", argument: "N", doc: "start with this many retained values"),
      Option(name: "where", argument: "EXPR", doc: "only values that match this jq expression"),
      Option(name: "every", argument: "DURATION", doc: "at most one value per interval, the newest"),
      Option(name: "heartbeat", argument: "DURATION", doc: "with --json: an event after this long without events"),
      Option(
        name: "overflow", argument: "HOW",
        doc: "overflow policy for a slow reader: drop_oldest, drop_newest, latest, disconnect or block",
        kind: .word(["drop_oldest", "drop_newest", "latest", "disconnect", "block"])),
      Option(name: "timestamps", doc: "print the time of each value"),
      ValueText.option,
    ],
    examples: [
      Example("signalbox subscribe 'climate.*'", "follow a graph"),
      Example("signalbox subscribe --replay 10 --take 20 climate.smooth", "ten retained values, ten new ones"),
      Example("signalbox subscribe climate.raw | jq .value", "values only, for other programs"),
      Example("signalbox subscribe --json '*.*' >> events.jsonl", "all events, as JSON"),
      Example("signalbox subscribe --follow climate.alarm", "across restarts of the daemon"),
    ]
  ) { invocation throws(CommandError) in
    var requests: [SubscribeRequest] = []
    var texts: Set<String> = []
    for text in try invocation.operands(1...Int.max) where texts.insert(text).inserted {
      requests.append(try request(invocation, try invocation.pattern(text)))
    }
    try Follower(invocation, requests).run()
  }

  private static func request(
    _ invocation: Invocation, _ pattern: SignalPattern
  ) throws(CommandError) -> SubscribeRequest {
    var request = SubscribeRequest(signal: pattern)
    request.take = try invocation.option("take")
    request.replay = try invocation.option("replay")
    request.where = invocation.text("where")
    request.every = try invocation.option("every")
    request.heartbeat = try invocation.option("heartbeat")
    request.overflow = try invocation.option("overflow")
    request.timestamps = invocation.has("timestamps") ? true : nil
    return request
  }
}

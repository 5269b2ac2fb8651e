internal import JSON
internal import WireProtocol

extension Command {
  static let subscribe = Command(
    name: "subscribe", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "print the values of signals as they come",
    details: """
      In a pattern, * stands for one part of a name: 'climate.*', '*.alarm' (in quotes, for the shell's sake). In a pipe,
      one signal prints its values alone, one a line; a pattern or several print NAME, a tab, VALUE. Ends when every
      signal that was named has ended, or with --take. With --follow it outlives the daemon: it goes on with the next one,
      and says what came in between and cannot be had any more.
      """,
    options: [
      Option(
        name: "follow", letter: "f", doc: "wait for a daemon that is not there, and connect again when it has gone"),
      Option(name: "take", letter: "n", argument: "N", doc: "end after so many values"),
      Option(name: "replay", argument: "N", doc: "begin with so many retained values"),
      Option(name: "where", argument: "EXPR", doc: "only values for which this jq expression is true"),
      Option(name: "every", argument: "DURATION", doc: "at most one value in that time, the newest"),
      Option(name: "heartbeat", argument: "DURATION", doc: "with --json: an event after this long without any"),
      Option(
        name: "overflow", argument: "HOW",
        doc: "if you read too slowly: drop_oldest, drop_newest, latest, disconnect or block",
        kind: .word(["drop_oldest", "drop_newest", "latest", "disconnect", "block"])),
      Option(name: "timestamps", doc: "show when the values came"),
      ValueText.option,
    ],
    examples: [
      Example("signalbox subscribe 'climate.*'", "follow a graph"),
      Example("signalbox subscribe --replay 10 --take 20 climate.smooth", "ten old values, ten new ones"),
      Example("signalbox subscribe climate.raw | jq .value", "values alone, for other programs"),
      Example("signalbox subscribe --json '*.*' >> events.jsonl", "everything, as the daemon says it"),
      Example("signalbox subscribe --follow climate.alarm", "for days, whatever happens to the daemon"),
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

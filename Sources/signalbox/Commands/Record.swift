internal import Linux
internal import WireProtocol

extension Command {
  static let record = Command(
    name: "record", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "record signals for simulation or replay",
    details: """
      Writes the events of the signals, with their times, one JSON line each, until Ctrl-C: first the held values, then
      new events. A recording continues across restarts of the daemon, as subscribe --follow does, and marks gaps with
      lines of their own. Every line is written at once, so that a recording always ends with a whole line. The inputs
      suffice to compute all other signals again.
      """,
    options: [
      Option(
        name: "output", letter: "o", argument: "FILE", doc: "write to a new FILE; fail if it exists",
        kind: .file),
      Option(name: "for", argument: "DURATION", doc: "stop after this long"),
    ],
    examples: [
      Example("signalbox record -o day.jsonl --for 24h climate.raw", "record one day of an input"),
      Example("signalbox record 'climate.*' | gzip > climate.jsonl.gz", "all signals of a graph, until Ctrl-C"),
      Example("signalbox simulate new.yaml < day.jsonl", "simulate it with another configuration"),
    ]
  ) { invocation throws(CommandError) in
    var requests: [SubscribeRequest] = []
    var texts: Set<String> = []
    for text in try invocation.operands(1...Int.max) where texts.insert(text).inserted {
      var request = SubscribeRequest(signal: try invocation.pattern(text))
      request.timestamps = true
      requests.append(request)
    }
    let deadline = try invocation.deadline("for")
    let output =
      if let path = invocation.text("output") {
        Output(file: try OutputFile.create(path), path: path)
      } else {
        invocation.output
      }
    let follower = Follower(
      invocation, requests, follows: true, to: output, EventPrinter(recordingTo: output), until: deadline)
    try follower.run()
    try output.flush()
  }
}

internal import Linux
internal import WireProtocol

extension Command {
  static let record = Command(
    name: "record", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "record signals, to simulate or replay them",
    details: """
      Writes the events of the signals, with their times, one JSON line each, until ctrl-C: first what they hold, then
      what comes. A recording outlives the daemon, as subscribe --follow does, and says in lines of its own where something
      is missing. Every line is written before the next wait, so that whatever ends the recording leaves whole lines. The
      inputs are enough to work the rest out again.
      """,
    options: [
      Option(
        name: "output", letter: "o", argument: "FILE", doc: "write a new FILE; one that is there is left alone",
        kind: .file),
      Option(name: "for", argument: "DURATION", doc: "end after this long"),
    ],
    examples: [
      Example("signalbox record -o day.jsonl --for 24h climate.raw", "record a day of an input"),
      Example("signalbox record 'climate.*' | gzip > climate.jsonl.gz", "everything of a graph, until ctrl-C"),
      Example("signalbox simulate new.yaml < day.jsonl", "what another configuration would have made of it"),
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

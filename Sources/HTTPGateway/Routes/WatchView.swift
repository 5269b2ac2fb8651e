extension Route {
  static let watchView = Route(
    methods: ["GET"], path: "/view",
    summary: "Follow the current values of all signals, a few times per second, as the page shows them.",
    answers: [
      Answer(
        status: 200,
        doc: "view events with {signals: {NAME: {seq, at, value} or {…, size} or {…, ended}}, skipped}; with epoch, "
          + "that of the daemon, if these are all values that there are; connected, disconnected",
        type: EventFrame.mediaType)
    ]
  ) { call throws(Problem) in ViewStream(call).begin() }
}

extension Route {
  static let watchView = Route(
    methods: ["GET"], path: "/view",
    summary: "Tells the present values of all signals, some times a second: what the page shows.",
    answers: [
      Answer(
        status: 200,
        doc: "view events with {signals: {NAME: {seq, at, value} or {…, size} or {…, ended}}, skipped}; connected, "
          + "disconnected",
        type: EventFrame.mediaType)
    ]
  ) { call throws(Problem) in ViewStream(call).begin() }
}

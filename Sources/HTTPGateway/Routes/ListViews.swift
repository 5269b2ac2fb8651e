internal import JSON
internal import WireProtocol

extension Route {
  static let listViews = Route(
    methods: ["GET"], path: "/views", summary: ViewsRequest.summary,
    answers: [Answer(status: 200, doc: "the answer of views", type: "application/json")]
  ) { call throws(Problem) in
    try call.ask(ViewsRequest()) { answer throws(Problem) in
      call.respond(200, ["views": .array(answer.objects("views").compactMap { view($0, call.grant) })])
    }
  }

  /// Returns a view as a client with these rights sees it; `nil` if all of its entries are hidden.
  private static func view(_ listed: JSONObject, _ grant: Grant) -> JSONValue? {
    guard case .array(let entries)? = listed["show"] else { return nil }
    let visible = entries.compactMap { entry(of: $0, grant) }
    var view = listed
    view["show"] = .array(visible)
    return visible.isEmpty ? nil : .object(view)
  }

  private static func entry(of value: JSONValue, _ grant: Grant) -> JSONValue? {
    guard case .object(var entry) = value else { return nil }
    if case .array(let signals)? = entry["signals"] { return plot(of: signals, entry, grant) }
    let (signal, action) = (entry.text("signal"), entry.text("action"))
    let isAction = entry["action"] != nil
    let isVisible =
      isAction ? grant.reads.contains(action) || grant.calls.contains(action) : grant.reads.contains(signal)
    let isOperated = isAction ? grant.calls.contains(action) : grant.sends.contains(signal)
    entry["send"] = .bool(entry["send"] == true && isOperated)
    return isVisible ? .object(entry) : nil
  }

  /// Returns a plot of several signals with those that a client may read.
  private static func plot(of signals: [JSONValue], _ listed: JSONObject, _ grant: Grant) -> JSONValue? {
    let visible = signals.filter { signal in
      guard case .object(let members) = signal else { return false }
      return grant.reads.contains(members.text("signal"))
    }
    var entry = listed
    entry["signals"] = .array(visible)
    entry["send"] = false
    return visible.isEmpty ? nil : .object(entry)
  }
}

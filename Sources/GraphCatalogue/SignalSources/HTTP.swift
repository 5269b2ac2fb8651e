import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let http = SourceDeclaration(
    "http", "Asks an HTTP server again and again and emits what it answers, or follows its events.", kind: .source,
    Parameter<HTTPConnectionName>("connection", "the connection to the server"),
    Parameter<FixedPath>("path", "the path", initial: FixedPath(text: "/")),
    Parameter<HTTPQuery?>("query", "the query: texts, numbers, booleans, and lists of these", initial: .some(nil)),
    Parameter<HTTPHeaders?>("headers", "further headers, by their names", initial: .some(nil)),
    Parameter<Duration?>(
      "every", "how often to ask; an answer that has not changed emits nothing", initial: .some(nil),
      shortest: .milliseconds(100)),
    Parameter<Bool>(
      "events", "whether to follow server-sent events, whose data are the values", initial: false),
    Parameter<LineFormat?>(
      "format", "the format of a body or of an event; without it, JSON if it can be read so, else text", .free,
      initial: .some(nil)),
    as: HTTPSource.init)
}

/// A path of an HTTP server that is polled, or whose events are followed.
private struct HTTPSource: WholeSource {
  let connection: HTTPConnectionName
  let path: FixedPath
  let query: HTTPQuery?
  let headers: HTTPHeaders?
  let interval: Duration?
  let followsEvents: Bool
  let format: LineFormat?

  var isHeld: Bool { false }
  var takesValues: Bool { false }

  var problem: String? {
    switch (interval, followsEvents) {
    case (nil, false): return "say how often to ask, as in every: 30s, or events: true"
    case (.some, true): return "give one of every and events"
    case (.some, false), (nil, true): break
    }
    return format?.problemInRecords
  }

  private var settings: JSONObject {
    var settings: JSONObject = ["path": .string(connection.reference.base + path.text)]
    if let query { settings["query"] = .object(query.members) }
    if let headers { settings["headers"] = .object(headers.values) }
    if let interval { settings["every"] = .number(interval / .seconds(1)) }
    if followsEvents { settings["events"] = true }
    return settings
  }

  func stream(_ context: OperatorContext) -> Stream {
    var settings = settings
    // An emitted error takes the place of the value, which then has to come again.
    if context.signal.declaration.body.onError == .emit, !followsEvents { settings["repeat"] = true }
    return NetworkRecords.stream(
      of: NetworkSource(
        signal: context.signal.name, kind: .http, connection: connection.reference.name, settings: settings), format,
      isContinuous: followsEvents, isState: !followsEvents, context)
  }
}

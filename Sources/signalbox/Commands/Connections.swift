internal import Base
internal import JSON
internal import Linux
internal import WireProtocol

extension Command {
  static let connections = Command(
    name: "connections", operands: "", summary: "show the connections to peers on the network",
    details: """
      The connections of server.connections: the state of each with its time and the reason that it is away, how many tasks
      wait for an adapter or are with one, and how many are done or have failed. A narrow terminal shows some of these
      columns. For root, the daemon's own user and those whom server.access.stats names.
      """,
    examples: [
      Example("sudo signalbox connections", "the state of each"),
      Example("sudo signalbox subscribe signalbox.connections", "each change"),
    ]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    guard let answer = try invocation.ask(StatsRequest()) else { return }
    guard answer["daemon"] != nil else { throw CommandError.deniedCounts }
    var table = Table(
      "CONNECTION", "KIND", "ADDRESS", "STATE", "SINCE", "WAITING", "GIVEN", "DONE", "FAILED", "REASON")
    if case .object(let connections)? = answer["connections"]?.value {
      for connection in connections.members {
        guard case .object(var members) = connection.value.plain else { continue }
        if invocation.output.isForPeople { members["since"] = age(members["since"]) }
        let columns = ["kind", "address", "state", "since", "waiting", "given", "done", "failed", "reason"]
        table.add([connection.key] + columns.map { text(of: members[$0]) })
      }
    }
    table.fitted(to: invocation.output.width, dispensing: dispensable).print(to: invocation.output)
  }

  /// The columns that a narrow terminal does without, the first one first.
  private static let dispensable = ["GIVEN", "ADDRESS", "KIND", "DONE", "FAILED", "SINCE"]

  /// Returns the time since a moment.
  private static func age(_ moment: JSONValue?) -> JSONValue? {
    guard case .string(let text)? = moment?.plain, let time = RFC3339.microseconds(of: text) else { return moment }
    return .string(Figures.span(max(0, Double(WallTime.now().microseconds - time) / 1e6)))
  }

  private static func text(of value: JSONValue?) -> String {
    switch value?.plain {
    case .string(let text): text
    case nil: "-"
    case let value?: value.description
    }
  }
}

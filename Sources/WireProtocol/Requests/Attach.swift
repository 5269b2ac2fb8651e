package import JSON

/// A request of an adapter: to speak with the peers of some kinds for the daemon.
package struct AttachRequest: WireRequest {
  package static let op = "attach"
  package static let summary = "Make the client the adapter of kinds of peers; requires server.access.adapters."
  package static let fields: [RequestField<Self>] = [
    .required("kinds", \.kinds, "the kinds of peers, such as http"),
    .optional(
      "window", \.window, "maximum number of unacknowledged tasks of a connection; 64 by default"),
    .optional(
      "check", \.isCheck, "true to be told the connections and declarations alone, beside the adapter that serves them"),
  ]

  package var kinds = NameList([])
  package var window: TaskWindow?
  package var isCheck: Bool?

  package init() {}
}

/// The connections and declarations of the adapter's kinds.
package struct AttachReply: Reply {
  package static let op: StaticString = "attach"

  package let connections: [JSONValue]
  package let declarations: [JSONValue]

  /// The greatest length of a line that the adapter may send, in bytes.
  package let line: Int

  package init(connections: [JSONValue], declarations: [JSONValue], line: Int) {
    self.line = line
    self.connections = connections
    self.declarations = declarations
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("connections", .array(connections))
    line.member("declarations", .array(declarations))
    line.member("line", self.line)
  }
}

/// The number of tasks that an adapter takes at the same time.
package struct TaskWindow: FieldValue, Equatable {
  package static var expectation: String { "a whole number from 1 to \(greatest)" }

  package static let greatest = 4_096
  package static let initial = 64

  package let value: Int

  package init?(field: RawJSON) {
    guard let number = UInt64(field: field), 1...UInt64(Self.greatest) ~= number else { return nil }
    value = Int(number)
  }

  package func write(to writer: inout JSONWriter) { writer.write(value) }
}

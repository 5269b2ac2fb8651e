import GraphModel
package import JSON

/// The origin of an input.
package struct EntryOrigin: Sendable {
  package enum Kind: String, Sendable {
    /// A client sent a value.
    case sent
    /// A client ended the signal.
    case ended
    /// Timers that were due.
    case timers
    /// A signal of a graph that is not durable.
    case crossing
    /// A lazy signal got its first subscriber or lost its last one.
    case listening
    /// A client restarted signals.
    case restart
    /// A file, a program, the system journal or a bus.
    case world
    /// The start of the graphs.
    case start
  }

  /// The external origin of an input of kind `world`.
  package struct World: Sendable {
    fileprivate let name: String
    fileprivate let text: String

    package static let file = World(name: "file", text: "change of a file")
    package static let tail = World(name: "tail", text: "lines of a followed file")
    package static let folder = World(name: "folder", text: "files of a watched folder")
    package static let program = World(name: "program", text: "output of a program")
    package static let programEnd = World(name: "program_end", text: "end of a program")
    package static let journal = World(name: "journal", text: "system journal")
    package static let bus = World(name: "bus", text: "event on a bus")
    package static let busReply = World(name: "bus_reply", text: "reply on a bus")
    package static let network = World(name: "network", text: "message of an adapter")
    package static let networkAnswer = World(name: "network_answer", text: "answer of an adapter")

    /// Returns the origin of the events of any other query.
    package static func query(_ name: String) -> World { World(name: name, text: "event of \(name)") }
  }

  package let kind: Kind
  /// The receiving signal.
  package let signal: String?
  /// The user ID of the sender.
  package let user: UInt32?
  /// The connection of the sender, as the daemon names it.
  package let connection: String?
  package let world: World?
  /// The value; the last of several.
  package let value: JSONValue?
  /// Since 1970; `nil` if only the tree contains the time.
  package let microseconds: Int64?
  /// The user's name, if it was looked up.
  private var userName: String?

  package init(
    _ kind: Kind, signal: String? = nil, user: UInt32? = nil, connection: String? = nil, world: World? = nil,
    value: JSONValue? = nil, microseconds: Int64? = nil
  ) {
    (self.kind, self.signal, self.user, self.connection) = (kind, signal, user, connection)
    (self.world, self.value, self.microseconds) = (world, value, microseconds)
  }

  /// Returns the origin with the name of its user, if there is one.
  package func named(by name: (UInt32) -> String?) -> EntryOrigin {
    var origin = self
    origin.userName = user.flatMap(name)
    return origin
  }

  /// The origin as text.
  package var text: String {
    let signal = signal.map { " \($0)" } ?? ""
    switch kind {
    case .sent: return "sent to\(signal)\(sender)"
    case .ended: return "end of\(signal), sent\(sender)"
    case .timers: return "timer"
    case .crossing: return "emitted by\(signal), which is not durable"
    case .listening: return "subscription to\(signal), which is lazy"
    case .restart: return "restart of\(signal)\(sender)"
    case .world: return world?.text ?? "an external event"
    case .start: return "start or reload of the graphs"
    }
  }

  private var sender: String {
    let person = user.map { userName ?? "user \($0)" }
    if let connection, connection.hasPrefix(Self.adapter) {
      let number = connection.dropFirst(Self.adapter.count)
      return " by an adapter\(person.map { " run by \($0)" } ?? ""), connection \(number)"
    }
    return (person.map { " by \($0)" } ?? "") + (connection.map { ", connection \($0)" } ?? "")
  }

  /// The beginning of the text of a connection of an adapter, which passes on what others have sent.
  private static let adapter = "adapter "

  /// The members, plus value and time, for an entry outside the tree.
  var detailedMembers: [(String, JSONValue)] {
    var members = members
    if let value { members.append(("value", value)) }
    if let microseconds { members.append(("at", .string("\(RecordedTime.moment(microseconds: microseconds))"))) }
    return members
  }

  var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("entry", .string(kind.rawValue))]
    if let signal { members.append(("signal", .string(signal))) }
    if let user { members.append(("user", .number(Double(user)))) }
    if let userName { members.append(("user_name", .string(userName))) }
    if let connection { members.append(("connection", .string(connection))) }
    if let world { members.append(("world", .string(world.name))) }
    return members
  }
}

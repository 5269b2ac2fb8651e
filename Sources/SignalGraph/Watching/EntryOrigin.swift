import JSON

/// A description of an entry, for people.
package struct EntryOrigin: Sendable {
  package enum Kind: String, Sendable {
    /// Somebody sent a value.
    case sent
    /// Somebody ended the signal.
    case ended
    /// Timers that were due.
    case timers
    /// A signal of a graph that is not durable.
    case crossing
    /// Somebody began to listen to a lazy signal, or nobody did any more.
    case listening
    /// Somebody had signals start anew.
    case restart
    /// A file, a program, the system's journal or a bus.
    case world
    /// The graphs began.
    case start
  }

  package let kind: Kind
  /// The signal that it was for.
  package let signal: String?
  /// The user that sent it.
  package let user: UInt32?
  /// The connection that it came by, as the daemon names it.
  package let connection: String?

  package init(_ kind: Kind, signal: String? = nil, user: UInt32? = nil, connection: String? = nil) {
    (self.kind, self.signal, self.user, self.connection) = (kind, signal, user, connection)
  }

  /// For people.
  var text: String {
    let signal = signal.map { " \($0)" } ?? ""
    switch kind {
    case .sent: return "sent to\(signal)\(sender)"
    case .ended: return "the end of\(signal), sent\(sender)"
    case .timers: return "time that passed"
    case .crossing: return "told by\(signal), which is not durable"
    case .listening: return "somebody who began to listen to\(signal)"
    case .restart: return "a restart of\(signal)\(sender)"
    case .world: return "told by a file, a program, the journal or a bus"
    case .start: return "the start of the graphs, or a reload"
    }
  }

  private var sender: String {
    (user.map { " by user \($0)" } ?? "") + (connection.map { ", connection \($0)" } ?? "")
  }

  var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("entry", .string(kind.rawValue))]
    if let signal { members.append(("signal", .string(signal))) }
    if let user { members.append(("user", .number(Double(user)))) }
    if let connection { members.append(("connection", .string(connection))) }
    return members
  }
}

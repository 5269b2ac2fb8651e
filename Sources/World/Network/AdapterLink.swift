package import GraphEngine
package import GraphModel
package import JSON

/// The way to an attached adapter.
package protocol AdapterLink: AnyObject {
  /// True while the adapter does not read its events.
  var isFull: Bool { get }

  /// Tells changes of the declarations.
  func report(_ change: DeclarationChange)

  /// Gives a task.
  func give(_ members: JSONObject)

  /// Withdraws a task.
  func cancel(_ number: UInt64)
}

/// A change of what an adapter has to know.
package struct DeclarationChange {
  /// All connections, if one of them has changed.
  package var connections: [JSONValue]?
  package var added: [JSONValue] = []
  package var changed: [JSONValue] = []
  package var removed: [String] = []

  var isEmpty: Bool { connections == nil && added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// An adapter that serves some kinds of peers.
package final class AttachedAdapter {
  package let link: any AdapterLink
  package let kinds: Set<PeerKind>
  /// The most tasks of each connection that may be given without being acknowledged.
  let window: Int
  /// The declarations that it knows, by their names.
  var known: [String: JSONValue] = [:]
  /// The connections that it knows.
  var knownConnections: [JSONValue] = []
  /// The tasks that it has not acknowledged, by their numbers.
  var given: [UInt64: GivenTask] = [:]

  /// The terms on which an adapter attaches.
  package struct Record {
    package let kinds: Set<PeerKind>
    package let window: Int

    package init(kinds: Set<PeerKind>, window: Int) {
      self.kinds = kinds
      self.window = window
    }
  }

  package init(_ link: any AdapterLink, _ record: Record) {
    self.link = link
    kinds = record.kinds
    window = record.window
  }
}

/// A task on its way to an adapter or with one.
final class GivenTask {
  let task: NetworkTask
  let receive: (TaskAnswer) -> Void
  /// The time at which it is given up.
  let deadline: Duration?
  var number: UInt64?
  var isOver = false

  init(_ task: NetworkTask, deadline: Duration?, _ receive: @escaping (TaskAnswer) -> Void) {
    self.task = task
    self.deadline = deadline
    self.receive = receive
  }
}

/// A source that runs, for an adapter to follow.
package final class FollowedSource {
  package let source: NetworkSource
  /// The position of the last send, where the next adapter resumes.
  private(set) var position: String?
  private let receive: (NetworkEvent) -> Void

  init(_ source: NetworkSource, position: String?, _ receive: @escaping (NetworkEvent) -> Void) {
    self.source = source
    self.position = position
    self.receive = receive
  }

  func deliver(_ event: NetworkEvent) {
    if case .items(_, let position?, _) = event { self.position = position }
    receive(event)
  }

  /// The declaration without the position, since the adapter that follows the source has a newer one.
  var form: JSONValue { .object(members) }

  var declaration: JSONValue {
    var members = members
    if let position { members["position"] = .string(position) }
    return .object(members)
  }

  private var members: JSONObject {
    [
      "signal": .string(source.signal), "role": "source", "kind": .string(source.kind.rawValue),
      "connection": .string(source.connection), "settings": .object(source.settings),
    ]
  }
}

import GraphEngine
import GraphModel
import JSON
import Signals

/// The state of an attached adapter, for a process that resumes.
struct AdapterState {
  /// The number of its connection.
  let connection: Int
  let kinds: [String]
  let window: Int
  let knownConnections: [JSONValue]
  let known: [String: JSONValue]
  /// The tasks that it has not acknowledged, by their numbers.
  let tasks: [Task]

  struct Task {
    let number: UInt64
    let key: String
    let attempt: Int
  }

  init(_ adapter: AttachedAdapter, connection: Int) {
    self.connection = connection
    kinds = adapter.kinds.map(\.rawValue).sorted()
    (window, known, knownConnections) = (adapter.window, adapter.known, adapter.knownConnections)
    tasks = adapter.given.sorted { $0.key < $1.key }.map { number, given in
      Task(number: number, key: given.task.key, attempt: given.task.attempt)
    }
  }

  /// The terms on which it has attached.
  var record: AttachedAdapter.Record { .init(kinds: Set(kinds.map(PeerKind.init)), window: window) }
}

extension AdapterState: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    connection = try field(\.connection)
    kinds = try field(\.kinds)
    window = try field(\.window)
    knownConnections = try field(\.knownConnections)
    known = try field(\.known)
    tasks = try field(\.tasks)
  }
}

extension AdapterState.Task: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    number = try field(\.number)
    key = try field(\.key)
    attempt = try field(\.attempt)
  }
}

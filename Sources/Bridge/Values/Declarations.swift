internal import JSON

/// A connection that the configuration names.
struct ConnectionDeclaration: Hashable, Sendable {
  let name: String
  let kind: String
  let settings: JSONObject

  init?(_ object: JSONObject) {
    guard let name = object.string("connection"), let kind = object.string("kind") else { return nil }
    self.name = name
    self.kind = kind
    settings = object.nested("settings") ?? JSONObject()
  }

  private init(_ other: ConnectionDeclaration, settings: JSONObject) {
    (name, kind) = (other.name, other.kind)
    self.settings = settings
  }

  /// True while it is not to be made: what the peer keeps for it has no taker.
  var isWithheld: Bool { settings.flag("withheld") }

  /// Returns the connection with other settings.
  func with(_ settings: JSONObject) -> ConnectionDeclaration { ConnectionDeclaration(self, settings: settings) }
}

/// A signal or an action that is served through a connection, while it runs.
struct SignalDeclaration: Sendable {
  enum Role: String, Sendable {
    case source, sink, action
  }

  let run: SignalRun
  let role: Role
  let kind: String
  let connection: String
  let settings: JSONObject
  /// The position of the last value that the daemon has committed.
  var position: String?
  /// The payload that the topic of a publication has at present, of a retained one.
  let state: String?

  init?(_ object: JSONObject) {
    guard let run = SignalRun(object), let role = object.string("role").flatMap(Role.init),
      let kind = object.string("kind"), let connection = object.string("connection")
    else { return nil }
    self.run = run
    self.role = role
    self.kind = kind
    self.connection = connection
    settings = object.nested("settings") ?? JSONObject()
    position = object.string("position")
    state = object.string("state")
  }
}

/// A signal by its name or, for one of several cold runs, by name and run.
struct SignalRun: Hashable, Sendable {
  let signal: String
  let number: Int?

  init?(_ value: JSONObject) {
    guard let signal = value.string("signal") else { return nil }
    self.signal = signal
    number = value.integer("run")
  }

  init(_ signal: String) {
    self.signal = signal
    number = nil
  }
}

/// The declarations of the daemon, or what has changed of them.
struct DeclarationChange: Sendable {
  /// All connections; `nil` where they are as before.
  var connections: [ConnectionDeclaration]?
  var added: [SignalDeclaration] = []
  var changed: [SignalDeclaration] = []
  var removed: [SignalRun] = []

  /// The declarations of one kind.
  func of(_ kind: String) -> DeclarationChange {
    var part = self
    part.connections = connections?.filter { $0.kind == kind }
    part.added.removeAll { $0.kind != kind }
    part.changed.removeAll { $0.kind != kind }
    return part
  }
}

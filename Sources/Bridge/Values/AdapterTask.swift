internal import JSON
internal import WireProtocol

/// Work that the daemon gives: a call of an action, or a value of a publishing signal.
struct AdapterTask: Sendable {
  let number: Int
  /// The action, or the signal that publishes.
  let signal: String
  let connection: String
  let request: JSONObject
  let attempt: Int
  /// The key that all attempts of a call share.
  let key: String
  /// The seconds after which the daemon gives the attempt up.
  let deadline: Double?

  /// Reads the event of a task; its members are accessed one by one, since parsing all takes as long as the rest.
  init?(_ line: ServerLine) {
    guard let number = line.number("task"), let connection = line.string("connection") else { return nil }
    self.number = number
    signal = line.string("signal") ?? ""
    self.connection = connection
    if case .object(let request)? = line["request"]?.value { self.request = request } else { request = JSONObject() }
    attempt = line.number("attempt") ?? 1
    key = line.string("key") ?? ""
    if case .number(let deadline)? = line["deadline"]?.value.plain { self.deadline = deadline } else { deadline = nil }
  }
}

/// The result of a task.
enum TaskAnswer: Sendable {
  /// The task succeeded, with its output.
  case done(Output?)
  case failed(TaskFailure)

  struct Output: Sendable {
    let body: Body
    let contentType: String?
    let details: JSONObject?

    init(body: Body, contentType: String? = nil, details: JSONObject? = nil) {
      self.body = body
      self.contentType = contentType
      self.details = details
    }
  }
}

/// The reason that a task or a source has failed.
struct TaskFailure: Error, Equatable, Sendable {
  let code: String
  let message: String
  var status: Int?
  /// Indicates that another attempt may succeed.
  var isTemporary = false
  /// The seconds that the peer wants to be left alone.
  var after: Double?

  init(_ code: String, _ message: String, status: Int? = nil, isTemporary: Bool = false) {
    self.code = code
    self.message = message
    self.status = status
    self.isTemporary = isTemporary
  }

  /// The failure of what a connection has not carried out when its settings change.
  static let replaced = TaskFailure("connect", "the connection has other settings now", isTemporary: true)

  /// The failure where a thread is needed and none can be had.
  static let noThread = TaskFailure("connect", "no thread can be started", isTemporary: true)

  /// The failure of a task for a connection that cannot be made, until it has other settings.
  static func unusable(_ connection: String) -> TaskFailure {
    TaskFailure("connect", "the connection \(connection) cannot be used", isTemporary: true)
  }
}

/// A value of a source, on its way to the daemon.
struct SourceValue: Sendable {
  let body: Body
  var position: String?
  /// The name of the value; the daemon passes over one that comes again.
  var message: String?
  var details: JSONObject?

  init(_ body: Body, position: String? = nil, message: String? = nil, details: JSONObject? = nil) {
    self.body = body
    self.message = message
    self.position = position
    self.details = details
  }
}

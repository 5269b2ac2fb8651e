package import GraphModel
package import JSON
package import Signals

/// The peers on the network, as far as graphs see them: adapters speak with them.
///
/// It reports on the graphs' thread, between two turns and never before the call that asked has returned, and nothing
/// after what it returned was disposed of.
package protocol NetworkWorld: AnyObject {
  /// Follows a source on the network until it is disposed of.
  ///
  /// - Parameter position: Where it was read up to before, as its adapter names it.
  func follow(
    _ source: NetworkSource, from position: String?, _ receive: @escaping (NetworkEvent) -> Void
  ) -> any Disposable

  /// True if nothing ever answers, as in tests: what is published is taken at once.
  var isSilent: Bool { get }

  /// Carries out a task once; disposing of the result cancels it.
  func carryOut(_ task: NetworkTask, _ receive: @escaping (TaskAnswer) -> Void) -> any Disposable
}

extension NetworkWorld {
  package var isSilent: Bool { false }
}

/// A source on the network: what its adapter needs to follow it.
package struct NetworkSource: Sendable {
  /// The signal, by its full name.
  package let signal: String
  package let kind: PeerKind
  /// The name of its connection.
  package let connection: String
  package let settings: JSONObject

  package init(signal: String, kind: PeerKind, connection: String, settings: JSONObject) {
    self.signal = signal
    self.kind = kind
    self.connection = connection
    self.settings = settings
  }

  /// True if its values tell what the peer says beside a record.
  package var hasDetails: Bool { settings["as"] != nil }
}

/// An event of a source on the network.
package enum NetworkEvent: Sendable {
  /// Values or records that arrived together, and the position after them.
  case items([NetworkItem], position: String?, message: String?)
  /// - Parameter status: The status of an answer.
  case failed(SignalFailure, status: Int32?)
  case completed
}

/// A value that an adapter has sent.
package enum NetworkItem: Sendable {
  case value(Payload)
  /// The bytes of a record, to be read in the format of the source.
  case record([UInt8])
  /// The bytes of a record, and what the peer said beside it.
  case message([UInt8], JSONObject)
}

/// Something that an adapter carries out once.
package struct NetworkTask: Sendable {
  package var role = TaskRole.action
  /// The action or the signal that it is for, by its full name.
  package let owner: String
  package let kind: PeerKind
  package let connection: String
  /// The value that it is made for.
  package let value: Payload
  package let request: JSONObject
  /// Further settings of the action, for the adapter.
  package let settings: JSONObject
  /// Counts the attempts of one call, from 1.
  package let attempt: Int
  /// The name of the call, which all attempts share.
  package let key: String
  /// The time after which it is given up.
  package let timeout: Duration?
}

/// The answer of an adapter to a task.
package enum TaskAnswer: Sendable {
  /// An output; more follow. For a message that is published: it waits, since its connection is away.
  case progress(JSONValue)
  case done(JSONValue?)
  case failed(SignalFailure, status: Int32?, RetryAdvice)

  /// True for the last answer.
  package var isLast: Bool { if case .progress = self { false } else { true } }
}

/// The advice of the side that executes a call on another attempt.
package struct RetryAdvice: Equatable, Sendable {
  /// True if another attempt may succeed.
  let isUseful: Bool
  /// The time that the peer asks to wait before it.
  package let pause: Duration?

  package init(isUseful: Bool, pause: Duration? = nil) {
    self.isUseful = isUseful
    self.pause = pause
  }
}

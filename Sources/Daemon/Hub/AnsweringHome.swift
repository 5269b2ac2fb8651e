import GraphModel
import Persistence
import StateLog

/// A home that clients' sends wait for: the log on this machine, or the node that owns the log.
protocol AnsweringHome: AnyObject {
  var home: Home { get }
  /// Keeps a sender waiting until more of what was sent is answered.
  func wait(_ sender: any Sender)
  /// Runs an action once everything sent so far is answered, with an error if the outcome of a part is unknown.
  func answerAfterSends(_ answer: @escaping (StorageError?) -> Void)
}

/// A home whose log the nodes of a cluster share, for the requests of this node's clients.
protocol ClusteredHome: AnsweringHome {
  /// The reason for refusing requests at present.
  var unavailability: String? { get }
  /// True once the log has been read to its end, as far as a server knew it, and with it the epoch.
  var isFollowed: Bool { get }
  /// The number of the last commit whose events clients have received.
  var toldCommit: UInt64 { get }
  /// True while so much waits for the owner that senders have to wait.
  var isBehind: Bool { get }
  /// The most bytes of one send.
  var longestSend: Int { get }
  /// Sends to the node that owns the log, which may be this one.
  ///
  /// - Parameters:
  ///   - content: The encoded `ForwardedContent`.
  ///   - message: The client's ID of the message.
  ///   - reply: Called with the outcome, in the order of the sends.
  func send(
    _ content: [UInt8], message: String?, reply: @escaping (Result<DurableGraphs.Outcome, ForwardedRefusal>) -> Void
  )
}

/// The refusal of a send that was forwarded.
struct ForwardedRefusal: Error {
  /// The code of the error, as the protocol has it.
  let code: String
  let message: String
}

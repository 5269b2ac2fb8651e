import GraphModel
import JSON

/// A call from the view of its work: a client's or a pipe's.
protocol WorkingCall: AnyObject {
  var engine: GraphEngine { get }
  /// The world that its work attaches to.
  var world: any GraphWorld { get }
  /// The variables that it adds to a program's environment, as `NAME=value`.
  var environment: [String] { get }
  /// The value for restarted work; `nil` for none.
  var valueAgain: Payload? { get }
  /// The name of the call for a peer on the network, which all attempts share.
  var key: String { get }
  /// Counts the attempts, from 1.
  var attempt: Int { get }
  /// The longest duration of the attempt.
  var timeout: Duration? { get }
  /// True if it acts on an event: in a durable graph its work begins once that is committed.
  var isEffect: Bool { get }

  /// Handles an output, between two turns.
  func put(_ value: Payload)

  /// Reports an output that is not a value.
  func report(_ failure: SignalFailure, value: JSONValue)

  /// Handles the end of its work.
  ///
  /// - Parameter status: The exit status of a program, if any.
  func finish(_ failure: SignalFailure?, status: Int32?)

  /// Its work has failed, with a code that is kept and with advice on another attempt.
  func finish(_ failure: SignalFailure, status: Int32?, _ advice: RetryAdvice)
}

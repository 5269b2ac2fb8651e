import JSON
import ReactiveCore

/// A call as its work sees it: a client's, or one that a pipe makes.
protocol WorkingCall: AnyObject {
  var engine: GraphEngine { get }
  /// The world to which its work attaches itself.
  var world: any GraphWorld { get }
  /// The variables of a program's environment that are its own, as `NAME=value`.
  var environment: [String] { get }
  /// The value that its work is given when it begins again; `nil` for none.
  var valueAgain: Payload? { get }
  /// Whether it acts on something that has happened: in a durable graph its work begins once that is kept.
  var isEffect: Bool { get }

  /// An output; told between two turns.
  func put(_ value: Payload)

  /// An output that is no value.
  func report(_ failure: SignalFailure, value: JSONValue)

  /// Its work is over.
  ///
  /// - Parameter status: The exit status, of a program that had one.
  func finish(_ failure: SignalFailure?, status: Int32?)
}

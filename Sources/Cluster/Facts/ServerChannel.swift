/// A connection to the servers for a trial of them; it calls handlers within `receive` only.
package protocol ServerChannel: AnyObject {
  /// The prefix of subjects that only this connection has.
  var inbox: String { get }

  /// Publishes a message, and passes on the first reply.
  func request(_ message: OutgoingMessage, _ handler: @escaping (IncomingMessage) -> Void)
  func publish(_ message: OutgoingMessage, reply: String)

  /// Receives the messages of a subject.
  ///
  /// - Returns: The number of the subscription.
  @discardableResult
  func subscribe(_ subject: String, _ handler: @escaping (IncomingMessage) -> Void) -> UInt32
  func unsubscribe(_ number: UInt32)

  /// Waits for messages for some time, and handles those that came.
  func receive(within time: Duration) throws(ServerFailure)
}

/// The reason that a server does not do what a cluster needs of it.
package struct ServerFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

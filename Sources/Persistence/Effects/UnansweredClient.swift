package import GraphModel
package import StateLog

/// A client that wants no answer to its messages but has to know of their commits, since its other requests wait for
/// them.
package protocol UnansweredClient: AnyObject {
  /// Called when messages of this client are on disk and their effects are released, or with an error if their outcome
  /// is unknown.
  func didCommit(_ count: Int, in home: Home, _ failure: StorageError?)
}

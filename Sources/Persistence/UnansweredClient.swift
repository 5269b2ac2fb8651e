package import Journal

/// A client who wants no answer to what it sends, but must know when that is on disk: its other requests wait for it.
package protocol UnansweredClient: AnyObject {
  /// Messages of this client are on disk, and all that they have caused was told; or there is an error where nobody can
  /// say whether they are.
  func isTold(_ count: Int, _ failure: StorageError?)
}

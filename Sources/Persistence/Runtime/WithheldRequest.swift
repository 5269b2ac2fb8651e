import Signals

/// A request to the outside that is withheld until its cause is on disk, and then runs until it is answered.
final class WithheldRequest {
  /// The running request, cancelled when its answer is no longer wanted.
  var running: (any Disposable)?
  private(set) var isWithdrawn = false

  /// Discards the answer; cancels the request if it runs.
  func withdraw() {
    isWithdrawn = true
    running.take()?.dispose()
  }
}

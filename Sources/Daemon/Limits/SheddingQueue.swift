/// A queue of a client that can drop events for other clients of its user.
protocol SheddingQueue: AnyObject {
  /// Drops events of about a number of bytes, as the overflow policies of its subscriptions choose.
  func shed(_ bytes: Int)
}

/// The sizes and times of a log in a stream.
package struct StreamLogLimits: Sendable {
  /// The maximum size of a commit's part, below what servers take as one message.
  package var partSize = 512 << 10
  package var chunkSize = 128 << 10
  /// The time after which records that are known to exist, and that no server returns, count as lost.
  ///
  /// It is longer than replicas were seen to lag behind unnoticed.
  package var patience = Duration.seconds(60)

  package init() {}
}

/// The limits of a writer; tests reduce them.
struct WriterLimits: Sendable {
  /// The default maximum delay for syncing commits that need no immediate sync.
  var syncDelay = Duration.seconds(1)
  /// The maximum delay for syncing a mark: after a power failure, damage within it goes unnoticed.
  ///
  /// Syncing the mark with each sync of the log would double the duration of a commit.
  var markDelay = Duration.seconds(1)
  /// The number of pages in the log that forces a checkpoint before anything but commits.
  var fullLog = 1000
  /// The minimum number of pages in the log for a checkpoint when idle.
  var leastLog = 250
  /// The size in bytes of a snapshot's part, and roughly of the commits deleted together: a few milliseconds of disk
  /// time, since commits wait for it.
  var portion = 512 << 10
  /// The number of free pages kept for reuse.
  var keptPages = 4096
}

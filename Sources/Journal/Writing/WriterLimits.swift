/// The limits of a writer, which tests make small to meet everything with little.
struct WriterLimits: Sendable {
  /// The longest time for which a commit that need not be synced at once is not, until another one is asked for.
  var syncDelay = Duration.seconds(1)
  /// The pages in the log that are moved into the database before anything else but commits is done.
  var fullLog = 1000
  /// The pages in the log that are moved when nothing else is to be done.
  var leastLog = 250
  /// The bytes of a snapshot's part, and about those of the commits that are deleted together: a few milliseconds of a
  /// disk, since commits wait for it.
  var portion = 512 << 10
  /// The pages that are free and kept for what comes.
  var keptPages = 4096
}

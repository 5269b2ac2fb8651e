package import GraphModel

extension OracleStory {
  /// The external steps of a story.
  package enum Step {
    case send(String, String)
    case end(String, SignalEnding)
    case advance(Duration)
    /// Restart it, if it has ended.
    case restart(String)
    case attach(String)
    /// Remove the oldest subscriber.
    case detach(String)
    case beginRun(String)
    /// The oldest run ends.
    case endRun(String)
    case call(String, String)
    /// Print a line from the program of an action.
    case print(String, String)
    case exit(String, Int32)
    /// Hand all entries so far to the disk, of durable graphs.
    case commit
    /// Kill the process, of durable graphs.
    case kill(Kill)
  }

  /// The progress of the last steps when a process is killed.
  package enum Kill: CaseIterable {
    /// Delivered.
    case told
    /// On disk, but not delivered.
    case written
    /// Only in memory.
    case lost
  }
}

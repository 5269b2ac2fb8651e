package import SignalGraph

extension OracleStory {
  /// What is done to a graph from outside.
  package enum Step {
    case send(String, String)
    case end(String, SignalEnding)
    case advance(Duration)
    /// Started anew, if it has ended.
    case restart(String)
    case attach(String)
    /// The one who has listened for the longest time leaves.
    case detach(String)
    case beginRun(String)
    /// The oldest run ends.
    case endRun(String)
    case call(String, String)
    /// The program that runs for an action prints a line.
    case print(String, String)
    case exit(String, Int32)
    /// What came so far is handed to the disk, of durable graphs.
    case commit
    /// Its process is ended without a word, of durable graphs.
    case kill(Kill)
  }

  /// How far the last steps have come when a process is ended.
  package enum Kill: CaseIterable {
    /// Everybody was told of them.
    case told
    /// They are on disk, and nobody was told.
    case written
    /// They are nowhere but in memory.
    case lost
  }
}

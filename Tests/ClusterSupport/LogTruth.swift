internal import Cluster
internal import StateLog

/// The judge of a simulation: it reads each record as the stream stores it, and compares what nodes tell with it.
package final class LogTruth {
  /// The first violation.
  package private(set) var violation: String?
  private var cursor = LogCursor()
  /// The commits in the log with the sequences of their last records; commit 1 is the first.
  private var commits: [StoredCommit] = []
  /// The messages in the log with their places.
  private var messages: [Int: Int] = [:]
  private var dropped: Set<CommitOfTerm> = []

  /// A commit in the log; commit 1 is the first.
  private struct StoredCommit {
    let commit: Commit
    /// The sequence of its last record.
    let sequence: UInt64
    let term: UInt64
  }

  private struct CommitOfTerm: Hashable {
    let number: UInt64
    let term: UInt64
  }

  /// True if the stream loses records: then only what remains at the end is compared.
  private let losesRecords: Bool
  /// True once lost sequences were used again by an owner that knew nothing of it: the log is damaged from there.
  private(set) var isDamaged = false

  package init(losesRecords: Bool = false) { self.losesRecords = losesRecords }

  var number: UInt64 { cursor.number }

  /// Returns the place of a message in the log.
  func place(of message: Int) -> Int? { messages[message] }

  package func violate(_ text: String) { violation = violation ?? text }

  /// Takes a record at the moment at which it is stored.
  func stored(_ message: StoredMessage) {
    if isDamaged { return }
    do throws(LogDamage) {
      guard case .committed(let commit, _) = try cursor.take(message) else { return }
      for message in SimulatedGraph.messages(in: commit.entries) {
        if messages.updateValue(messages.count, forKey: message) != nil {
          violate("message \(message) stands in the log twice")
        }
      }
      if dropped.contains(CommitOfTerm(number: commit.number, term: cursor.term)) {
        violate("commit \(commit.number) of term \(cursor.term) is stored, and was said to be dropped")
      }
      commits.append(StoredCommit(commit: commit, sequence: message.sequence, term: cursor.term))
    } catch {
      isDamaged = true
      if !losesRecords { violate("the log is damaged: \(error)") }
    }
  }

  /// Begins again with what is left of the log.
  func lost(_ left: [StoredMessage]) {
    isDamaged = false
    cursor = LogCursor()
    commits = []
    messages = [:]
    for message in left { stored(message) }
  }

  /// Returns true if the log contains a state.
  func contains(_ graph: SimulatedGraph) -> Bool {
    guard graph.number > 0 else { return true }
    return graph.number <= commits.count && commits[Int(graph.number) - 1].commit.hash == graph.hash
  }

  /// Compares a commit that a node tells with the log.
  func told(_ commit: Commit, sequence: UInt64, by node: String) {
    if losesRecords { return }
    guard commit.number <= commits.count else {
      return violate("\(node) told commit \(commit.number), which is not stored")
    }
    let truth = commits[Int(commit.number) - 1]
    guard truth.commit == commit, truth.sequence == sequence else {
      return violate("\(node) told another commit \(commit.number) than is stored")
    }
  }

  /// Takes note that a sender was told that a message is kept.
  func kept(_ message: Int) {
    if !losesRecords, messages[message] == nil {
      violate("message \(message) is said to be kept, and is not stored")
    }
  }

  /// Takes note that a commit of a fenced owner is said not to be stored; its messages may be, by another owner.
  func dropped(_ number: UInt64, term: UInt64) {
    if losesRecords { return }
    dropped.insert(CommitOfTerm(number: number, term: term))
    if number <= commits.count, commits[Int(number) - 1].term == term {
      violate("commit \(number) of term \(term) is said to be dropped, and is stored")
    }
  }
}

import GraphModel

/// The sends of a client that are not on disk yet, and the answers that wait for them, by home.
struct PendingSends {
  private struct Count {
    let commits: Commits
    var sends = 0
    var answers = 0
  }

  private var counts: [Count] = []

  var isEmpty: Bool { counts.isEmpty }
  /// True if some of them will be answered.
  var hasAnswers: Bool { counts.contains { $0.answers > 0 } }
  /// The commits that they wait for.
  var commits: [Commits] { counts.map(\.commits) }

  /// True if none waits for other commits.
  func areAll(waitingFor commits: Commits) -> Bool { counts.allSatisfy { $0.commits === commits } }

  mutating func add(_ commits: Commits, isAnswered: Bool) {
    let index = counts.firstIndex { $0.commits === commits } ?? counts.count
    if index == counts.count { counts.append(Count(commits: commits)) }
    counts[index].sends += 1
    if isAnswered { counts[index].answers += 1 }
  }

  mutating func remove(_ sends: Int, in home: Home, areAnswered: Bool) {
    guard let index = counts.firstIndex(where: { $0.commits.home == home }) else { return }
    counts[index].sends -= sends
    if areAnswered { counts[index].answers -= sends }
    if counts[index].sends == 0 { counts.remove(at: index) }
  }
}

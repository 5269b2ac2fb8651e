import GraphModel

/// The sends of a client that are not on disk yet, and the answers that wait for them, by home.
struct PendingSends {
  private struct Count {
    let answering: any AnsweringHome
    var sends = 0
    var answers = 0
  }

  private var counts: [Count] = []

  var isEmpty: Bool { counts.isEmpty }
  /// True if some of them will be answered.
  var hasAnswers: Bool { counts.contains { $0.answers > 0 } }
  /// The homes that they wait for.
  var homes: [any AnsweringHome] { counts.map(\.answering) }

  /// True if none waits for another home.
  func areAll(waitingFor home: any AnsweringHome) -> Bool { counts.allSatisfy { $0.answering === home } }

  mutating func add(_ home: any AnsweringHome, isAnswered: Bool) {
    let index = counts.firstIndex { $0.answering === home } ?? counts.count
    if index == counts.count { counts.append(Count(answering: home)) }
    counts[index].sends += 1
    if isAnswered { counts[index].answers += 1 }
  }

  mutating func remove(_ sends: Int, in home: Home, areAnswered: Bool) {
    guard let index = counts.firstIndex(where: { $0.answering.home == home }) else { return }
    counts[index].sends -= sends
    if areAnswered { counts[index].answers -= sends }
    if counts[index].sends == 0 { counts.remove(at: index) }
  }
}

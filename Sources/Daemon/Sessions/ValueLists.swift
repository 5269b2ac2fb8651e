import World

/// The open lists of values, at most one for each graph and a few for each user, and the senders that wait for them.
final class ValueLists {
  /// The most lists that a user may have open.
  private static let mostOfUser = 4

  /// The reason to wait: a graph with an open list, or a user with too many.
  private enum Subject: Hashable {
    case graph(String)
    case user(UInt32)
  }

  /// The scheduler of the lists.
  weak var work: CooperativeTasks?
  private var open: [String: ValueList] = [:]
  private var waiting: [Subject: WaitingSenders] = [:]

  var isEmpty: Bool { open.isEmpty }
  /// All lists, in a deterministic order.
  var listed: [ValueList] { open.sorted { $0.key < $1.key }.map(\.value) }

  /// Pauses a sender if its graph has an open list; returns `true` if it does.
  func hold(_ sender: (any Sender)?, before graph: String) -> Bool {
    if open[graph] == nil { return false }
    wait(sender, for: .graph(graph))
    return true
  }

  /// Pauses a sender if its user has too many open lists; returns `true` if it does.
  func hold(_ sender: (any Sender)?, ofUser user: UInt32) -> Bool {
    guard open.values.lazy.filter({ $0.session.userID == user }).count >= Self.mostOfUser else { return false }
    wait(sender, for: .user(user))
    return true
  }

  private func wait(_ sender: (any Sender)?, for subject: Subject) {
    if let sender { waiting[subject, default: WaitingSenders()].append(sender) }
  }

  /// Opens a list, to be sent in the coming iterations.
  func add(_ list: ValueList) {
    open[list.graph] = list
    list.session.openList(charge: list.charge)
    work?.add(list)
  }

  /// Closes a list: the senders that waited for it continue, and after them its client.
  func remove(_ list: ValueList) {
    guard open[list.graph] === list else { return }
    open[list.graph] = nil
    list.session.closeList(charge: list.charge)
    for subject in [Subject.graph(list.graph), .user(list.session.userID)] {
      guard var senders = waiting.removeValue(forKey: subject) else { continue }
      for sender in senders.take() { sender.proceed() }
    }
    list.session.sender?.proceed()
  }
}

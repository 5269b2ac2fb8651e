/// The messages that are being published, by numbers of their connection.
///
/// They outlive the connection to the daemon: one whose task is given again is not published twice. The numbers are not those
/// of tasks, which a daemon that was restarted counts from the first again.
struct PublicationTasks {
  /// A message on its way.
  private struct Entry {
    var holder: Holder
    let key: String
    /// True if it is lost with its connection.
    let isBrief: Bool
  }

  /// The one that waits for the end of a message.
  private enum Holder: Equatable {
    case task(Int)
    /// No one does any more.
    case cancelled
    /// The daemon was lost, and may give the task again.
    case orphan
  }

  private var entries: [Int: Entry] = [:]
  /// The numbers of messages without a task, by their keys; `nil` for one that has been taken meanwhile.
  private var orphans: [String: Int?] = [:]

  var count: Int { entries.count }

  /// Adds a message of a task.
  ///
  /// - Parameter isBrief: True if it is lost with its connection.
  mutating func add(_ number: Int, _ task: AdapterTask, isBrief: Bool) {
    entries[number] = Entry(holder: .task(task.number), key: task.key, isBrief: isBrief)
  }

  /// Removes a message that the peer has taken, or that has failed; returns its task.
  mutating func finish(_ number: Int, isTaken: Bool) -> Int? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    switch entry.holder {
    case .task(let task): return task
    case .orphan where orphans[entry.key] == number: orphans[entry.key] = isTaken ? .some(nil) : nil
    case .orphan, .cancelled: break
    }
    return nil
  }

  mutating func cancel(_ task: Int) {
    for (number, entry) in entries where entry.holder == .task(task) { entries[number]?.holder = .cancelled }
  }

  /// Removes the messages that are lost with the connection; returns their tasks.
  mutating func removeBrief() -> [Int] { remove(entries.filter(\.value.isBrief)) }

  /// Removes all messages; returns their tasks.
  mutating func removeAll() -> [Int] { remove(entries) }

  private mutating func remove(_ lost: [Int: Entry]) -> [Int] {
    lost.keys.compactMap { finish($0, isTaken: false) }.sorted()
  }

  /// Drops the tasks of a daemon that is gone.
  mutating func detach() {
    orphans = [:]
    for (number, entry) in entries where entry.holder != .cancelled && !entry.key.isEmpty {
      entries[number]?.holder = .orphan
      orphans[entry.key] = number
    }
  }

  /// The state of a message whose task was given before.
  enum Adoption {
    case none, underWay, done
  }

  /// Finds the message of a task that is given again.
  mutating func adopt(_ task: AdapterTask) -> Adoption {
    guard let number = orphans.removeValue(forKey: task.key) else { return .none }
    guard let number else { return .done }
    guard entries[number] != nil else { return .none }
    entries[number]?.holder = .task(task.number)
    return .underWay
  }
}

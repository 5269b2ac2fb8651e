/// The messages that are being published, by the library's numbers.
///
/// They outlive the connection to the daemon: one whose task is given again is not published twice.
struct MQTTTasks {
  /// A message on its way.
  struct Entry {
    /// The task's number at the daemon; `nil` after the daemon's connection was lost.
    var task: Int?
    let key: String
    let qos: Int32
  }

  private var entries: [Int32: Entry] = [:]
  /// The numbers of messages without a task, by their keys; `nil` for one that has been taken meanwhile.
  private var orphans: [String: Int32?] = [:]

  var count: Int { entries.count }

  mutating func add(_ number: Int32, _ entry: Entry) { entries[number] = entry }

  /// Removes a message that has been taken; returns its task.
  mutating func finish(_ number: Int32) -> Int? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    if entry.task == nil, !entry.key.isEmpty { orphans[entry.key] = .some(nil) }
    return entry.task
  }

  mutating func cancel(_ task: Int) {
    for (number, entry) in entries where entry.task == task { entries[number]?.task = nil }
  }

  /// Removes the messages that the library drops with a connection; returns their tasks.
  mutating func removeUnacknowledged() -> [Int] {
    let dropped = entries.filter { $0.value.qos == 0 }
    for number in dropped.keys { entries[number] = nil }
    return dropped.values.compactMap(\.task)
  }

  /// Removes all messages; returns their tasks.
  mutating func removeAll() -> [Int] {
    defer { (entries, orphans) = ([:], [:]) }
    return entries.values.compactMap(\.task)
  }

  /// Drops the tasks of a daemon that is gone.
  mutating func detach() {
    orphans = [:]
    for (number, entry) in entries {
      entries[number]?.task = nil
      if !entry.key.isEmpty { orphans[entry.key] = number }
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
    entries[number]?.task = task.number
    return .underWay
  }
}

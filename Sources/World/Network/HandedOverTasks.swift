import GraphEngine
import Linux

/// The tasks that adapters had before a handover, until the calls that they belong to resume.
struct HandedOverTasks {
  /// The longest time until calls resume: those of durable graphs wait for the disk.
  private static let timeout = Duration.seconds(10)

  /// A task that an adapter still has, for a call that has yet to resume.
  final class Task {
    let number: UInt64
    let adapter: AttachedAdapter
    fileprivate let key: String
    fileprivate let attempt: Int
    /// The answers received before the call has resumed.
    fileprivate(set) var answers: [(NetworkTask) -> TaskAnswer] = []

    fileprivate init(_ state: AdapterState.Task, of adapter: AttachedAdapter) {
      (number, key, attempt, self.adapter) = (state.number, state.key, state.attempt, adapter)
    }
  }

  private var tasks: [Task] = []
  /// The time at which tasks whose calls have not resumed are cancelled.
  private var deadline = MonotonicInstant.now()

  /// Expects the calls of an adapter's tasks to resume from now on.
  mutating func expect(_ states: [AdapterState.Task], of adapter: AttachedAdapter) {
    tasks += states.map { Task($0, of: adapter) }
    deadline = .now() + Self.timeout
  }

  /// Removes and returns the task of a call that has resumed.
  mutating func take(for call: NetworkTask) -> Task? {
    tasks.firstIndex { $0.key == call.key && $0.attempt == call.attempt }.map { tasks.remove(at: $0) }
  }

  /// Keeps an answer until its call resumes.
  func add(_ answer: @escaping (NetworkTask) -> TaskAnswer, to number: UInt64, of adapter: AttachedAdapter) {
    tasks.first { $0.number == number && $0.adapter === adapter }?.answers.append(answer)
  }

  /// Removes the tasks of an adapter that has disconnected.
  mutating func removeAll(of adapter: AttachedAdapter) { tasks.removeAll { $0.adapter === adapter } }

  /// Cancels the tasks whose calls should have resumed by now.
  mutating func cancelOverdue() {
    guard !tasks.isEmpty, MonotonicInstant.now() > deadline else { return }
    for task in tasks { task.adapter.link.cancel(task.number) }
    tasks = []
  }
}

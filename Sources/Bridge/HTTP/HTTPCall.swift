internal import Linux

/// A task on its way through a connection.
final class HTTPCall {
  /// The task's number at the daemon; `nil` after the daemon's connection was lost.
  var task: Int?
  /// The task as the daemon gave it first.
  let given: AdapterTask
  /// The moment after which it is not begun any more.
  let deadline: MonotonicInstant?
  var connection: HTTPConnection
  var job: HTTPJob?
  /// The answer that no daemon has been given yet.
  var answer: TaskAnswer?

  init(_ task: AdapterTask, _ connection: HTTPConnection) {
    self.task = task.number
    given = task
    deadline = task.deadline.map { MonotonicInstant.now() + .seconds(max(0, $0)) }
    self.connection = connection
  }

  /// True until its request is on its way.
  var isWaiting: Bool { job?.isRunning == false }
}

/// The calls that were running when the connection to the daemon was lost.
///
/// A daemon that reconnects sends their tasks again, and gets their results instead of a second request. Each is kept
/// for a minute; there are no more than run at once.
struct OrphanedCalls {
  private var calls: [String: HTTPCall] = [:]
  private var end = MonotonicInstant.now()

  private static let lifetime = Duration.seconds(60)

  mutating func replace(_ calls: some Sequence<HTTPCall>) {
    self.calls = [:]
    for call in calls where !call.given.key.isEmpty {
      call.task = nil
      self.calls[call.given.key] = call
    }
    end = .now() + Self.lifetime
  }

  /// Returns the call of a task that is given again.
  mutating func take(_ task: AdapterTask) -> HTTPCall? {
    if calls.isEmpty { return nil }
    if end < .now() { calls = [:] }
    guard let call = calls[task.key], call.given.attempt == task.attempt else { return nil }
    return calls.removeValue(forKey: task.key)
  }
}

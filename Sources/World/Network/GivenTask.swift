import GraphEngine

/// A task on its way to an adapter or with one.
final class GivenTask {
  let task: NetworkTask
  let receive: (TaskAnswer) -> Void
  /// The time at which it is given up.
  let deadline: Duration?
  var number: UInt64?
  var isOver = false

  init(_ task: NetworkTask, deadline: Duration?, _ receive: @escaping (TaskAnswer) -> Void) {
    self.task = task
    self.deadline = deadline
    self.receive = receive
  }
}

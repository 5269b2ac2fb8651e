internal import Base
internal import Linux

/// The messages of tasks that are published over a client.
final class MQTTPublications {
  private let client: MQTTClient
  private var tasks = MQTTTasks()
  /// Those that are not given to the library yet.
  private var held = FirstInFirstOut<(message: MQTTMessage, task: AdapterTask)>()
  private var session: DaemonSession?

  init(_ client: MQTTClient) { self.client = client }

  var count: Int { tasks.count + held.count }

  func attach(_ session: DaemonSession) { self.session = session }

  func detach() {
    session = nil
    tasks.detach()
    held = FirstInFirstOut()
  }

  /// Finds the message of a task that is given again.
  func adopt(_ task: AdapterTask) -> MQTTTasks.Adoption { tasks.adopt(task) }

  func publish(_ message: MQTTMessage, for task: AdapterTask) throws(TaskFailure) {
    try requireBroker()
    let number = try client.publish(message)
    tasks.add(number, MQTTTasks.Entry(task: task.number, key: task.key, qos: message.qos))
  }

  private func requireBroker() throws(TaskFailure) {
    guard client.isConnected else { throw TaskFailure("connect", "the broker is away", isTemporary: true) }
  }

  /// Keeps a message until `publishHeld`.
  func hold(_ message: MQTTMessage, for task: AdapterTask) throws(TaskFailure) {
    try requireBroker()
    held.append((message, task))
  }

  func publishHeld() {
    while let (message, task) = held.popFirst() {
      do throws(TaskFailure) { try publish(message, for: task) } catch {
        session?.acknowledge(task.number, .failed(error))
      }
    }
  }

  func cancel(_ task: Int) {
    tasks.cancel(task)
    let others = held.all.filter { $0.task.number != task }
    guard others.count < held.count else { return }
    held = FirstInFirstOut()
    for other in others { held.append(other) }
  }

  /// Notes that the broker has taken or refused a message.
  func finish(_ number: Int32, _ refusal: Int32?) {
    guard let task = tasks.finish(number) else { return }
    guard let refusal else { return session?.acknowledge(task, .done(nil)) ?? () }
    let reason = MQTTLibrary.text(ofReason: refusal, isVersion5: true)
    session?.acknowledge(
      task, .failed(TaskFailure("mqtt", "the broker refuses the message: \(reason)", status: Int(refusal))))
  }

  /// Fails the messages that the library drops with the connection.
  func lose() {
    tasks.removeUnacknowledged().forEach(fail)
    loseHeld()
  }

  func loseHeld() {
    while let (_, task) = held.popFirst() { fail(task.number) }
  }

  private func fail(_ task: Int) {
    session?.acknowledge(
      task, .failed(TaskFailure("connect", "the connection was lost before the message was sent", isTemporary: true)))
  }
}

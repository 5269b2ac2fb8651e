internal import Base
internal import Linux

/// The messages of tasks that are published over a client.
final class MQTTPublications {
  private let client: MQTTClient
  private var tasks = PublicationTasks()
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
  func adopt(_ task: AdapterTask) -> PublicationTasks.Adoption { tasks.adopt(task) }

  func publish(_ message: MQTTMessage, for task: AdapterTask) throws(TaskFailure) {
    try requireBroker()
    let number = try client.publish(message)
    tasks.add(Int(number), task, isBrief: message.qos == 0)
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
    guard let task = tasks.finish(Int(number), isTaken: refusal == nil) else { return }
    guard let refusal else { return session?.acknowledge(task, .done(nil)) ?? () }
    let reason = MQTTLibrary.text(ofReason: refusal, isVersion5: true)
    session?.acknowledge(
      task, .failed(TaskFailure("mqtt", "the broker refuses the message: \(reason)", status: Int(refusal))))
  }

  private static let lost = TaskFailure(
    "connect", "the connection was lost before the message was sent", isTemporary: true)

  /// Fails the messages that the library drops with the connection.
  func lose() {
    fail(tasks.removeBrief(), Self.lost)
    loseHeld()
  }

  func loseHeld() { failHeld(Self.lost) }

  /// Fails all messages.
  func giveBack() {
    fail(tasks.removeAll(), .replaced)
    failHeld(.replaced)
  }

  private func failHeld(_ failure: TaskFailure) {
    fail(held.all.map(\.task.number), failure)
    held = FirstInFirstOut()
  }

  private func fail(_ tasks: [Int], _ failure: TaskFailure) {
    for task in tasks { session?.acknowledge(task, .failed(failure)) }
  }
}

import Base
package import GraphEngine
import GraphModel
import JSON
import Linux
package import Signals

extension SystemNetwork {
  package func carryOut(_ task: NetworkTask, _ receive: @escaping (TaskAnswer) -> Void) -> any Disposable {
    let now = MonotonicInstant.now()
    let given = GivenTask(task, deadline: task.timeout.map { Duration.nanoseconds(now.nanoseconds) + $0 }, receive)
    if isDryRun {
      answerDry(given)
    } else if !adopt(given) {
      if let connection = connection(named: task.connection) {
        connection.waiting.append(given)
        if task.role == .sink, !connection.isConnected { noteAway([given]) } else { giveTasks(of: task.kind) }
      } else {
        refuse(given, "the connection \"\(task.connection)\" is gone")
      }
    }
    return AnyDisposable { [weak self] in
      guard !given.isOver else { return }
      given.isOver = true
      self?.withdraw(given)
    }
  }

  /// Takes a task for done, later.
  private func answerDry(_ given: GivenTask) {
    let task = given.task
    log.info("dry run: nothing is sent over \(task.connection) for \(task.owner)", ("connection", task.connection))
    loop.post { [weak self] in
      guard let self, !isClosed, !given.isOver else { return }
      begin()
      given.isOver = true
      given.receive(.done(nil))
    }
  }

  /// Finds the task among those that an adapter had before a handover.
  func adopt(_ given: GivenTask) -> Bool {
    guard let task = handedOver.take(for: given.task) else { return false }
    given.number = task.number
    task.adapter.given[task.number] = given
    connection(named: given.task.connection)?.givenCount += 1
    if !task.answers.isEmpty { answer(given, task) }
    return true
  }

  private func answer(_ given: GivenTask, _ task: HandedOverTasks.Task) {
    loop.post { [weak self] in
      guard let self, !isClosed else { return }
      begin()
      for answer in task.answers where !given.isOver { acknowledge(given, of: task.adapter, answer(given.task)) }
    }
  }

  /// Takes a task away from its adapter.
  func withdraw(_ given: GivenTask) {
    guard let number = given.number else { return }
    given.number = nil
    for adapter in adapters where adapter.given[number] === given {
      adapter.given[number] = nil
      // One of another kind may have the name by now.
      if let connection = connection(named: given.task.connection), connection.settings.kind == given.task.kind {
        connection.givenCount -= 1
      }
      adapter.link.cancel(number)
    }
    giveTasks(of: given.task.kind)
  }

  /// Answers a task that cannot be carried out, later.
  func refuse(_ given: GivenTask, _ reason: String) {
    loop.post { [weak self] in
      guard let self, !isClosed, !given.isOver else { return }
      begin()
      given.isOver = true
      given.receive(
        .failed(SignalFailure(code: "connect", message: reason), status: nil, RetryAdvice(isUseful: false)))
    }
  }

  func giveTasks(of kind: PeerKind) {
    guard let adapter = adapter(for: kind), !isClosed else { return }
    for connection in connections where connection.settings.kind == kind {
      let most = min(adapter.window, connection.mostGiven)
      while !adapter.link.isFull, connection.givenCount < most, let task = connection.waiting.first {
        if !task.isOver, task.task.role == .sink, !connection.isConnected { break }
        _ = connection.waiting.popFirst()
        if !task.isOver { give(task, to: adapter, over: connection) }
      }
    }
  }

  private func give(_ given: GivenTask, to adapter: AttachedAdapter, over connection: NetworkConnection) {
    if isStale { reportChanges() }
    lastNumber += 1
    given.number = lastNumber
    adapter.given[lastNumber] = given
    connection.givenCount += 1
    var members: JSONObject = [
      "task": .number(Double(lastNumber)), "signal": .string(given.task.owner),
      "role": .string(given.task.role.rawValue), "connection": .string(connection.name),
    ]
    if given.task.role == .action { members["value"] = given.task.value.value }
    members["request"] = .object(given.task.request)
    members["attempt"] = .number(Double(given.task.attempt))
    members["key"] = .string(given.task.key)
    if let deadline = given.deadline {
      let rest = deadline - .nanoseconds(MonotonicInstant.now().nanoseconds)
      members["deadline"] = .number(max(0, (rest / .milliseconds(1)).rounded() / 1_000))
    }
    adapter.link.give(members)
  }

  /// Delivers the answer to a task, between two turns; one to a task that was cancelled meanwhile has no effect.
  package func acknowledge(
    _ number: UInt64, of adapter: AttachedAdapter, _ answer: @escaping (NetworkTask) -> TaskAnswer
  ) {
    if let given = adapter.given[number] { return acknowledge(given, of: adapter, answer(given.task)) }
    handedOver.add(answer, to: number, of: adapter)
  }

  private func acknowledge(_ given: GivenTask, of adapter: AttachedAdapter, _ answer: TaskAnswer) {
    let connection = connection(named: given.task.connection)
    var answer = answer
    if case .failed(let failure, let status, let advice) = answer, let settings = connection?.settings {
      answer = .failed(
        SignalFailure(code: failure.code, message: settings.withoutSecrets(failure.message)), status: status, advice)
    }
    connection?.count(answer)
    if answer.isLast, let number = given.number {
      given.isOver = true
      given.number = nil
      adapter.given[number] = nil
      connection?.givenCount -= 1
    }
    given.receive(answer)
    giveTasks(of: given.task.kind)
  }
}

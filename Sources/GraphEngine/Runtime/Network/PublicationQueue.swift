import Base
import GraphModel
import JSON
import Signals

/// The messages that a signal publishes over one connection: a window of tasks that adapters may have, and the queue
/// behind it.
///
/// While the connection is away, one task stands for all, and is done once it is there again.
final class PublicationQueue: KeptMemory {
  private let publication: Publication
  private let context: OperatorContext
  private let output: StreamObserver
  private let topic: Evaluator?
  private let payload: Evaluator?
  private let backlog: CallBacklog
  private var waiting = WaitingMessages()
  private var given: [GivenMessage] = []
  private var isAway = false
  /// The number of the last message.
  private var serial: UInt64 = 0
  private var isAttached = false
  /// The time of the next attempt of a message that was refused for now.
  private var retry: Alarm?
  private var counting: (Int) -> Void = { _ in }
  private var isClosed = false
  /// Called when nothing waits any more.
  var onEmpty: () -> Void = {}

  /// A message that an adapter has or will be given.
  private final class GivenMessage {
    var message: PublishedMessage
    /// The number that the answer carries.
    var number: UInt64
    var task: (any Disposable)?
    /// The time since which it is under way, in microseconds since 1970.
    let since: Int64

    init(_ message: PublishedMessage, number: UInt64, at time: Int64) {
      self.message = message
      self.number = number
      since = time
    }
  }

  /// The most messages that are given without being acknowledged.
  private static let window = 512
  /// The pause before a message that was refused for now is given again.
  private static let pause = Duration.seconds(1)

  init(_ publication: Publication, _ context: OperatorContext, _ output: StreamObserver) {
    self.publication = publication
    self.context = context
    self.output = output
    if case .computed(let expression, _) = publication.topic {
      topic = context.evaluator(of: expression)
    } else {
      topic = nil
    }
    payload = publication.payload.map { context.evaluator(of: $0) }
    backlog = CallBacklog(
      signal: context.signal.name, target: .connection(publication.connection), context.engine)
    keep()
    retry = Alarm(context) { [unowned self] _, _ in giveMore() }
    counting = backlog.counting(limit: publication.queue.overflow == .block ? publication.queue.limit : nil)
    counting(waiting.count)
    backlog.underWay = { [unowned self] in (given.count, given.map(\.since).min()) }
    context.onAttach { [unowned self] in attach() }
    context.body.onEnd { [self] in close() }
  }

  var isEmpty: Bool { waiting.isEmpty && given.isEmpty }

  // MARK: Values

  /// Publishes a value, within a turn; emits the message.
  func publish(_ value: Payload) {
    guard let topic = topic(of: value), let content = content(of: value) else { return }
    let text = content.messageText
    let identity = "\(context.signal.name)-\(context.clock.microseconds)-\(context.engine.nextRun())"
    guard (isReplacing && waiting.hasMessage(to: topic)) || admits() else { return }
    serial += 1
    let message = PublishedMessage(serial: serial, key: CallKey.key(of: identity), topic: topic, payload: text)
    waiting.append(message, isReplacing: isReplacing)
    replaceStanding()
    counting(waiting.count)
    output.send(
      value: .value([
        "connection": .string(publication.connection), publication.word: .string(topic), "payload": content,
      ]))
    giveMore()
  }

  private var isReplacing: Bool { isAway && publication.isRetained }

  /// Makes room for one message; returns false if it is the one to drop.
  private func admits() -> Bool {
    let settings = publication.queue
    let limit = settings.overflow == .block ? 2 * settings.limit + context.rules.mostSent : settings.limit
    guard waiting.count >= limit else { return true }
    context.signal.drop(
      "\(limit) messages wait for the connection \(publication.connection) already")
    guard settings.overflow == .dropOldest else { return false }
    _ = waiting.popFirst()
    counting(waiting.count)
    return true
  }

  private func topic(of value: Payload) -> String? {
    switch publication.topic {
    case .fixed(let topic, _): return topic
    case .computed(_, let prefix):
      guard let result = topic?.first(of: value, refusingTo: output) else { return nil }
      guard case .string(let text) = result.plain, text.hasPrefix(prefix) else {
        refuse(.badValue("\(publication.word): it does not begin with \"\(prefix)\""), value)
        return nil
      }
      guard let problem = publication.problem(text) else { return text }
      refuse(.badValue("\(publication.word): \(problem)"), value)
      return nil
    }
  }

  private func content(of value: Payload) -> JSONValue? {
    guard let payload else { return value.value }
    return payload.first(of: value, refusingTo: output)
  }

  private func refuse(_ failure: SignalFailure, _ value: Payload) {
    context.refuse(failure, value: value.value, output)
  }

  // MARK: Tasks

  /// Gives as many messages as fit the window; while the connection is away, one.
  private func giveMore() {
    guard isAttached, !isClosed, retry?.isSet != true else { return }
    if context.world.network.isSilent { while waiting.popFirst() != nil {} }
    let most = isAway ? 1 : Self.window
    var hasGiven = false
    while given.count < most, let message = waiting.popFirst() {
      hasGiven = true
      let world = context.world
      let sent = GivenMessage(message, number: world.number(after: 0), at: context.clock.microseconds)
      given.append(sent)
      give(sent)
    }
    if hasGiven { counting(waiting.count) }
  }

  private func give(_ sent: GivenMessage) {
    var request: JSONObject = [
      publication.word: .string(sent.message.topic), "payload": .string(sent.message.payload),
    ]
    for member in publication.settings.members { request[member.key] = member.value }
    let task = NetworkTask(
      role: .sink, owner: context.signal.name, kind: publication.kind, connection: publication.connection,
      value: .value(.null), request: request, settings: [:], attempt: sent.message.attempt, key: sent.message.key,
      timeout: nil)
    sent.task = context.world.numbered(sent.number).network.carryOut(task) { [weak self, weak sent] answer in
      if let self, let sent { receive(answer, sent) }
    }
  }

  private func receive(_ answer: TaskAnswer, _ sent: GivenMessage) {
    guard !isClosed, let place = given.firstIndex(where: { $0 === sent }) else { return }
    switch answer {
    case .progress: return noteAway(sent)
    case .done:
      backlog.noteSuccess()
      given.remove(at: place)
    case .failed(let failure, let status, let advice):
      backlog.note(CallFailure(failure, status: status, advice))
      given.remove(at: place)
      if advice.isUseful {
        var message = sent.message
        message.attempt += 1
        waiting.takeBack(message, isReplacing: false)
        retry?.set(at: context.clock.now + max(Self.pause, advice.pause ?? .zero))
        counting(waiting.count)
      } else {
        context.turns.run { refuse(failure, .value(.string(sent.message.payload))) }
      }
    }
    isAway = false
    waiting.stopReplacing()
    giveMore()
    if isEmpty { context.turns.run(onEmpty) }
  }

  /// Takes back what waits for the connection, but for the first message.
  private func noteAway(_ sent: GivenMessage) {
    guard context.rules >= .third || given.count > 1 || !isAway else { return }
    if !isAway {
      isAway = true
      if publication.isRetained { waiting.replaceOlder() }
    }
    guard let place = given.firstIndex(where: { $0 === sent }), !isFirst(place) else { return counting(waiting.count) }
    given.remove(at: place)
    sent.task?.dispose()
    waiting.takeBack(sent.message, isReplacing: isReplacing)
    replaceStanding()
    counting(waiting.count)
    if context.rules >= .third { giveMore() }
  }

  /// Returns true for the first of all messages; one that failed waits behind newer ones that were given meanwhile.
  private func isFirst(_ place: Int) -> Bool {
    if context.rules < .third { return place == 0 }
    let serial = given[place].message.serial
    return given.allSatisfy { $0.message.serial >= serial } && waiting.firstSerial.map { $0 > serial } ?? true
  }

  /// Withdraws the message that stands for all while the connection is away, if a newer one to its topic waits.
  private func replaceStanding() {
    guard isReplacing, context.rules >= .third, given.count == 1, let standing = given.first,
      waiting.hasMessage(to: standing.message.topic)
    else { return }
    standing.task?.dispose()
    given = []
    giveMore()
  }

  private func attach() {
    isAttached = true
    let world = context.world
    for sent in given {
      sent.number = world.number(after: sent.number)
      give(sent)
    }
    giveMore()
  }

  private func close() {
    isClosed = true
    retry?.dispose()
    for sent in given { sent.task?.dispose() }
    backlog.close()
    given = []
  }

  // MARK: Saving

  func encode(to writer: inout StateEncoder) {
    waiting.encode(to: &writer)
    isAway.encode(to: &writer)
    serial.encode(to: &writer)
    writer.count(given.count)
    for sent in given {
      sent.number.encode(to: &writer)
      sent.message.encode(to: &writer)
    }
  }

  func restore(from reader: inout StateDecoder) throws(StateError) {
    waiting = try WaitingMessages(from: &reader)
    isAway = try Bool(from: &reader)
    serial = try UInt64(from: &reader)
    if isReplacing { waiting.replaceOlder() }
    for _ in 0..<(try reader.count()) {
      let number = try UInt64(from: &reader)
      let message = try PublishedMessage(from: &reader)
      given.append(GivenMessage(message, number: number, at: context.clock.microseconds))
    }
  }
}

extension JSONValue {
  /// The text of a message: a text as it is, others as JSON.
  var messageText: String { if case .string(let text) = plain { text } else { description } }
}

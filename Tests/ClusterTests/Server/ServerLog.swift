import Signals
import StateLog
import TestSupport

@testable import Cluster

/// One node's log on a real server.
final class ServerLog {
  private let client: NATSClient
  private let form: JetStreamLog
  private let node: String
  private let begin = ContinuousClock.now
  private(set) var log: StreamLog
  private var readers: [ReaderID: UInt32] = [:]
  private(set) var outputs: [StreamLog.Output] = []
  private(set) var flowControls = 0

  init(_ node: String, _ server: NATSServer, _ names: JetStreamNames, _ limits: StreamLogLimits) throws {
    client = try NATSClient(port: server.port)
    form = JetStreamLog(names, replicas: 1)
    self.node = node
    log = StreamLog(limits)
    var created = 0
    for creation in form.creations {
      client.request(creation) { if JetStreamLog.error(in: $0) == nil { created += 1 } }
    }
    try run { created == 2 }
  }

  private var now: Instant { .zero + (ContinuousClock.now - begin) }

  struct TookTooLong: Error {}

  /// Runs until a condition holds.
  func run(until isDone: () -> Bool) throws {
    let limit = now + .seconds(30)
    while !isDone() {
      guard now < limit else { throw TookTooLong() }
      let wait = min(log.deadline, now + .milliseconds(100)) - now
      try client.receive(within: wait)
      perform(log.timePassed(at: now))
    }
  }

  func own() throws {
    perform(log.claim(.example(node), time: 1, at: now))
    try run {
      if log.isIdle { perform(log.claim(.example(node), time: 1, at: now)) }
      return log.isOwner
    }
  }

  func follow() { perform(log.follow(at: now)) }
  func append(_ commit: Commit, told: [UInt8] = []) { perform(log.append(commit, told: told, at: now)) }
  func append(_ snapshot: Snapshot) { perform(log.append(snapshot, at: now)) }

  var committed: [UInt64] { outputs.compactMap { if case .committed(let number, _) = $0 { number } else { nil } } }
  var read: [Commit] { outputs.compactMap { if case .read(.committed(let commit, _), _) = $0 { commit } else { nil } } }
  var hasSnapshot: Bool { outputs.contains { if case .snapshotTaken = $0 { true } else { false } } }

  private func perform(_ outputs: [StreamLog.Output]) {
    for output in outputs {
      if case .stream(let action) = output { perform(action) } else { self.outputs.append(output) }
    }
  }

  private func perform(_ action: StreamAction) {
    switch action {
    case .request(let id, let request):
      client.request(form.message(for: request)) { [unowned self] message in
        perform(log.replied(to: id, form.reply(message, to: request), at: now))
      }
    case .startReader(let id, let from):
      let inbox = "\(client.inbox).reader.\(id)"
      if let known = readers[id] { client.unsubscribe(known) }
      readers[id] = client.subscribe(inbox) { [unowned self] message in
        switch ReaderMessage(message) {
        case .record(let record, _): perform(log.delivered(record, to: id, at: now))
        case .heartbeat(let delivered): perform(log.heard(id, delivered: delivered, at: now))
        case .flowControl(let subject):
          flowControls += 1
          client.publish(OutgoingMessage(subject: subject))
        case .ended, nil: break
        }
      }
      client.request(form.startReader("\(node)-\(id)", from: from, inbox: inbox)) { _ in }
    case .stopReader(let id):
      if let subscription = readers.removeValue(forKey: id) { client.unsubscribe(subscription) }
      client.request(form.stopReader("\(node)-\(id)")) { _ in }
    }
  }
}

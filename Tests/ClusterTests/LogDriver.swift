import ClusterSupport
import Signals
import StateLog

@testable import Cluster

/// One node's log on a simulated stream, in virtual time.
final class LogDriver {
  let time: SimulatedTime
  let stream: SimulatedStream
  private(set) var log: StreamLog
  private let node: String
  private var readers: [ReaderID: Int] = [:]
  private(set) var outputs: [StreamLog.Output] = []
  /// Called when a record was read.
  var onRead: () -> Void = {}
  /// True while the node is cut off from the stream.
  var isCutOff = false

  init(_ node: String, _ time: SimulatedTime, _ stream: SimulatedStream, _ limits: StreamLogLimits = StreamLogLimits())
  {
    (self.node, self.time, self.stream) = (node, time, stream)
    log = StreamLog(limits)
  }

  /// A stream without faults, and its time.
  static func world(seed: Int = 1) -> (SimulatedTime, SimulatedStream) {
    let time = SimulatedTime()
    return (time, SimulatedStream(time: time, chance: SimulatedChance(seed: seed), malice: .none))
  }

  func follow() { perform(log.follow(at: time.now)) }

  func claim() { perform(log.claim(.example(node), time: 1, at: time.now)) }

  /// Claims the log until the node owns it.
  func own() {
    for _ in 0..<5 where !log.isOwner {
      if log.isIdle { claim() }
      time.run(until: time.now + .seconds(1))
    }
  }

  /// Owns the log, and commits so many examples.
  func own(committing count: UInt64) {
    own()
    for number in 1...count { append(.example(number)) }
    run()
  }

  func ownerReports(term: UInt64, boot: String, sequence: UInt64) {
    perform(log.ownerReports(term: term, boot: boot, sequence: sequence))
  }

  func connect() {
    isCutOff = false
    perform(log.connected(at: time.now))
  }

  func doubt() { perform(log.doubt(at: time.now)) }
  func append(_ commit: Commit, told: [UInt8] = []) { perform(log.append(commit, told: told, at: time.now)) }
  func append(_ snapshot: Snapshot, emitted: [UInt8] = []) {
    perform(log.append(snapshot, emitted: emitted, at: time.now))
  }
  func close(_ successor: String?) { perform(log.close(CloseRecord(successor: successor), time: 1, at: time.now)) }

  func run(_ duration: Duration = .seconds(1)) { time.run(until: time.now + duration) }

  // MARK: What it has reported

  /// The commits that were read, with what they told.
  var read: [(commit: Commit, told: [UInt8])] {
    outputs.compactMap { if case .read(.committed(let commit, let told), _) = $0 { (commit, told) } else { nil } }
  }

  var committed: [UInt64] {
    outputs.compactMap { if case .committed(let number, _) = $0 { number } else { nil } }
  }

  var dropped: [UInt64]? {
    for case .fenced(let dropped, _) in outputs { return dropped }
    return nil
  }

  var recovered: Snapshot?? {
    for case .recovered(let snapshot, _) in outputs { return snapshot }
    return nil
  }

  /// What each snapshot that reading began behind publishes.
  var recoveries: [[UInt8]] {
    outputs.compactMap { if case .recovered(_, let emitted) = $0 { emitted } else { nil } }
  }

  var snapshotsTaken: [UInt64] {
    outputs.compactMap { if case .snapshotTaken(let number) = $0 { number } else { nil } }
  }

  var damage: LogDamage? {
    for case .damaged(let damage) in outputs { return damage }
    return nil
  }

  // MARK: Actions

  private func perform(_ outputs: [StreamLog.Output]) {
    for output in outputs {
      if case .read = output { onRead() }
      if case .stream(let action) = output { perform(action) } else { self.outputs.append(output) }
    }
    let deadline = log.deadline
    guard deadline < .distantFuture else { return }
    time.schedule(at: deadline) { [weak self] in
      guard let self, log.deadline <= time.now else { return }
      perform(log.timePassed(at: time.now))
    }
  }

  private func perform(_ action: StreamAction) {
    if isCutOff { return }
    switch action {
    case .request(let id, let request):
      stream.submit(request) { [weak self] reply in
        guard let self, !isCutOff else { return }
        perform(log.replied(to: id, reply, at: time.now))
      }
    case .startReader(let id, let from):
      if let asked = readers[id] { stream.stop(asked) }
      readers[id] = stream.read(from: from) { [weak self] message in
        guard let self, !isCutOff else { return }
        perform(log.delivered(message, to: id, at: time.now))
      } heartbeat: { [weak self] delivered in
        guard let self, !isCutOff else { return }
        perform(log.heard(id, delivered: delivered, at: time.now))
      }
    case .stopReader(let id): if let reader = readers.removeValue(forKey: id) { stream.stop(reader) }
    }
  }
}

extension OpenRecord {
  static func example(_ node: String) -> OpenRecord {
    OpenRecord(
      node: node, boot: "\(node)-1", reason: .start, program: "1", format: 1, configuration: 0, signals: ["alarm"])
  }
}

extension Commit {
  static func example(_ number: UInt64, entries: [UInt8] = [1]) -> Commit {
    Commit(number: number, time: Int64(number), count: 1, entries: entries, hash: number)
  }
}

import Cluster
import GraphModel
import Linux
import Persistence
import Signals
import StateLog

// The stream of a log: whether it is there as this node knows it, and the way back once it is.

extension ClusterHome {
  /// Looks whether the servers have the stream with everything that this node knows of.
  ///
  /// A log that was lost would otherwise stand still without a sign, or go on under a node that knows nothing of it.
  func lookForStream() {
    nextWatch = node.clock.now + watch.pause
    watch.reach(max(ownership.log.known, ownership.log.cursor?.last ?? 0))
    let known = watch.known
    node.request(form.message(for: .info)) { [weak self] message in
      guard let self, fault == nil, hasStreams, let report = JetStreamLog.report(message) else { return }
      take(report, known)
    }
  }

  private func take(_ report: StreamReport, _ known: UInt64) {
    if known == 0 {
      switch report {
      case .missing: renewStreams()
      case .stream(let created, _): watch.accept(created: created)
      }
      return
    }
    switch watch.take(report, known: known, at: now) {
    case .gone:
      lose(
        "the servers have no stream \(form.names.stream) any more. A daemon that is started again begins an empty log")
    case .replaced(let created): compareEpoch(of: created)
    case .short(let last):
      let finding = "no server has these records, which were acknowledged"
      perform(
        ownership.lose(
          LogDamage(sequences: last + 1...max(known, last + 1), finding: finding, soundCommit: lastNumber), at: now))
    case nil: nextWatch = min(nextWatch, node.clock.now + watch.pause)
    }
  }

  /// Stops the graph, unless the stream that was created at another time has the same log, as one that was restored.
  private func compareEpoch(of created: String) {
    ask(.newestMarker) { [weak self] reply in
      guard let self, fault == nil, reply != .unavailable else { return }
      let epoch = ownership.log.cursor.map(\.epoch) ?? node.hub.epochs.homes[home]
      if let marker = SnapshotMarker(reply), marker.epoch == epoch { return watch.accept(created: created) }
      lose(
        "another log has stood in its place since \(created). A daemon that is started again follows that one")
    }
  }

  private var lastNumber: UInt64 { ownership.log.cursor?.number ?? 0 }

  private func lose(_ finding: String) {
    let damage = LogDamage(sequences: 1...max(1, watch.known), finding: finding, soundCommit: lastNumber, isWhole: true)
    perform(ownership.lose(damage, at: now))
  }

  /// Looks for a snapshot of another epoch, with which a repair begins the log again, or for a stream that was gone.
  ///
  /// A log in another stream is none of them: a person accepts its loss by starting the daemon again.
  func lookForRepair() {
    nextLook = node.clock.now + .seconds(3)
    node.request(form.message(for: .info)) { [weak self] message in
      guard let self, fault?.kind == .damaged, let report = JetStreamLog.report(message), !watch.isOther(report) else {
        return
      }
      if watch.isBack(report) { return continueAfterRepair("its log is there again") }
      ask(.newestMarker) { [weak self] in self?.take($0) }
    }
  }

  private func take(_ reply: StreamReply) {
    guard fault?.kind == .damaged, let marker = SnapshotMarker(reply) else { return }
    guard let damaged = damagedEpoch, !damaged.isEmpty else { return damagedEpoch = marker.epoch }
    if marker.epoch != damaged { continueAfterRepair() }
  }
}

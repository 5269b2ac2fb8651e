import Cluster
import GraphEngine
import GraphModel
import JSON
import Linux
import Persistence
import Signals
import StateLog

// The steps of a log's state machines, carried out.

extension ClusterHome {
  func append(_ commit: Commit) { perform(ownership.append(commit, told: [], at: now)) }

  func append(_ snapshot: Snapshot, _ emitted: [UInt8]) {
    perform(ownership.append(snapshot, emitted: emitted, at: now))
  }

  func perform(_ outputs: [Ownership.Output]) {
    for output in outputs {
      switch output {
      case .log(let output): perform(output)
      case .probe(let term): probe(term)
      }
    }
    conclude()
  }

  /// Concludes an event: the log may have to be read again, and what waits for an owner learns of it.
  private func conclude() {
    if mustRestart { restart() }
    noteOwner()
    let owner = isOwner || ownership.log.isOwner ? term : ownership.owner?.term
    perform(link.ownerChanged(term: owner, at: now))
  }

  private func probe(_ term: UInt64) {
    node.request(OutgoingMessage(subject: form.names.ownerSubject(term: term))) { [weak self] message in
      guard let self else { return }
      ownership.probed(term: term, isAnswered: message.status != 503, at: now)
      conclude()
    }
  }

  private func perform(_ output: StreamLog.Output) {
    switch output {
    case .stream(let action): perform(action)
    case .recovered(let snapshot, let emitted): recover(snapshot, emitted)
    case .read(let event, let sequence): read(event, sequence)
    case .claimed(let term):
      self.term = term
      receivers = [:]
      listenAsOwner()
      node.beat()
    case .claimRefused: break
    case .began(let term): begin(term)
    case .committed(let number, let sequence):
      lastCommit = WallTime.now().microseconds
      writer?.stored(number, at: node.clock.now)
      told(sequence)
    case .snapshotTaken(let number):
      storedSnapshot = number
      writer?.storedSnapshot(number, at: node.clock.now)
    case .closed:
      endTerm(because: StorageError(.fenced, "graph \"\(graph)\" moves to another node"))
      mustRestart = true
      node.beat()
    case .fenced:
      fencings += 1
      node.log.warning(
        "graph \(graph): another node has taken over; inputs that were not stored are void", ("graph", graph))
      endTerm(because: StorageError(.fenced, "graph \"\(graph)\" runs on another node now"))
      mustRestart = true
    case .damaged(let damage): stop(StorageError(.damaged, "graph \"\(graph)\": \(damage)"))
    }
  }

  /// Stops the graph on this node: what its log has lost is for a person to decide.
  private func stop(_ error: StorageError) {
    fault = error
    damagedEpoch = ownership.log.cursor.map(\.epoch) ?? node.hub.epochs.homes[home]
    ownership.isEligible = false
    node.log.error("\(error)", ("graph", graph))
    node.publish(["event": "stopped", "graph": .string(graph), "reason": .string("\(error)")])
    endTerm(because: error)
    node.hub.remove(home, because: error)
  }

  // MARK: Reading

  private func recover(_ snapshot: Snapshot?, _ emitted: [UInt8]) {
    if let epoch = ownership.log.cursor?.epoch { adopt(epoch: epoch) }
    do throws(StorageError) { try followed.recover(snapshot, emitted: emitted) } catch { return stop(error) }
  }

  private func read(_ event: LogEvent, _ sequence: UInt64) {
    switch event {
    case .opened: if let epoch = ownership.log.cursor?.epoch { adopt(epoch: epoch) }
    case .committed(let commit, _):
      lastCommit = commit.time
      do throws(StorageError) { try followed.take(commit) } catch { return stop(error) }
      followLag = max(0, WallTime.now().microseconds - commit.time)
    case .closed, .snapshotTaken: break
    }
    told(sequence)
  }

  private func adopt(epoch: String) {
    if epoch.isEmpty { return }
    node.hub.set(epoch: epoch, of: home)
    // A graph that has returned to its log publishes nothing of it again.
    if let left = node.hub.leftLogs.removeValue(forKey: home), left.epoch == epoch { followed.skip(to: left.told) }
  }

  /// Takes note that the events up to a record were emitted here, for which answers to sends wait.
  private func told(_ sequence: UInt64) {
    toldSequence = sequence
    perform(link.told(sequence, at: now))
  }

  // MARK: Owning

  private func begin(_ term: UInt64) {
    guard let cursor = ownership.log.cursor else { return }
    let (stored, now) = (node.stored(), node.clock.now)
    do throws(StorageError) {
      let wakeup = try WakeupPipe.forWriter()
      let writer = StreamWriter(self, after: cursor.number, wakeup: wakeup)
      let graphs = DurableGraphs(
        followed.finish(), at: home, writer: writer, epoch: cursor.epoch, homes: node.hub.homes, system: node.world,
        configuration: stored)
      graphs.log = { [log = node.log] in log.warning($0) }
      let commits = try Commits(graphs, wakeup: wakeup, poller: node.poller, iteration: node.hub.iteration)
      (self.writer, self.commits) = (writer, commits)
      node.hub.add(commits)
      try commits.begin(node.hub.runtime, at: Instant(now), WallTime.now().microseconds, isFollowed: true)
      node.hub.homes.connect()
      failovers += 1
      if ownership.opened?.reason == .failover { failoverCount += 1 }
      hasCaughtUp = true
      if node.isNameTaken { giveUp() }
    } catch {
      stop(error)
    }
  }

  /// Checks that the servers still have the newest snapshot, and takes another one if not.
  ///
  /// A server of version 2.9 that was killed may drop everything that was stored before the last purge, and then become
  /// the leader.
  func lookForSnapshot() {
    nextLook = node.clock.now + .seconds(3)
    guard let number = storedSnapshot else { return }
    ask(.newestMarker) { [weak self] reply in
      guard let self, storedSnapshot == number, isOwner else { return }
      guard let marker = SnapshotMarker(reply), marker.number >= number, let first = marker.chunks.first else {
        return reply == .unavailable ? () : renewSnapshot()
      }
      ask(.chunk(at: first)) { [weak self] in if $0 == .missing { self?.renewSnapshot() } }
    }
  }

  func ask(_ request: StreamRequest, _ take: @escaping (StreamReply) -> Void) {
    node.request(form.message(for: request)) { [form] in take(form.reply($0, to: request)) }
  }

  private func renewSnapshot() {
    node.log.warning(
      "graph \(graph): the servers have lost its newest snapshot; another one is taken", ("graph", graph))
    commits?.graphs.renewSnapshot()
  }

  // MARK: Streams

  private func perform(_ action: StreamAction) {
    let reading = reading
    switch action {
    case .request(let id, let request):
      node.request(form.message(for: request)) { [weak self] message in
        guard let self, reading == self.reading else { return }
        if let error = JetStreamLog.error(in: message) { noteUnexpected(error) }
        perform(ownership.replied(to: id, form.reply(message, to: request), at: now))
      }
    case .startReader(let id, let sequence):
      let inbox = "\(node.inbox).d.\(name).\(reading).\(id)"
      if readers[id] == nil {
        readers[id] = node.subscribe(inbox) { [weak self] message in
          guard let self, reading == self.reading else { return }
          take(ReaderMessage(message), of: id)
        }
      }
      node.request(form.startReader(consumer(id), from: sequence, inbox: inbox)) { [weak self] message in
        if let error = JetStreamLog.error(in: message) { self?.noteUnexpected(error) }
      }
    case .stopReader(let id):
      if let number = readers.removeValue(forKey: id) { node.unsubscribe(number) }
      node.request(form.stopReader(consumer(id))) { _ in }
    }
  }

  private func consumer(_ id: ReaderID) -> String { "\(node.name)-\(node.boot.prefix(8))-\(reading)-\(id)" }

  private func take(_ message: ReaderMessage?, of id: ReaderID) {
    switch message {
    case .record(let record, let pending):
      perform(ownership.delivered(record, to: id, at: now))
      if pending == 0 { noteReading(upTo: record.sequence) }
    case .heartbeat(let delivered):
      perform(ownership.heard(id, delivered: delivered, at: now))
      noteReading(upTo: delivered)
    case .flowControl(let subject): node.publish(OutgoingMessage(subject: subject))
    case .ended, nil: break
    }
  }

  /// Takes note of the log's last record, as far as a server knows it.
  private func noteReading(upTo last: UInt64) {
    if let cursor = ownership.log.cursor, cursor.last >= last { hasCaughtUp = true }
  }

  private func noteUnexpected(_ error: JetStreamError) {
    if JetStreamError.wrongLastSequence.contains(error.code) || error.code == JetStreamError.noMessage { return }
    note(error, "a request of its log was refused")
  }
}

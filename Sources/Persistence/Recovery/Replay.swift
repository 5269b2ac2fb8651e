import GraphEngine
import GraphModel
import GraphTools
import JSON
import Signals
import StateLog

/// Replays commits in order.
final class Replay {
  let durable: DurableRuntime
  /// The configuration that they were written under, and the part that is replayed.
  let origin: ReplayedConfiguration
  /// The file writes since the snapshot without a logged completion.
  private(set) var owed: OwedWritings
  /// The commit of the initial snapshot, and the last one replayed.
  let firstCommit: UInt64
  private(set) var lastCommit: UInt64
  /// Called before each entry is performed.
  var onEntry: (Entry, EntryTime) -> Void = { _, _ in }
  /// Called after each entry, with the contents of files that were read for it.
  var onDone: (Entry, EntryTime, [[UInt8]?]) -> Void = { _, _, _ in }
  /// The turns of the current entry that took too long.
  private(set) var cuts: [TurnCut] = []
  private let recorder: ProvenanceRecorder?
  /// Called when a replay of a part meets a turn that was cut, before it throws.
  var onCut: () -> Void = {}
  /// The entries to perform; `nil` to perform all.
  var relevance: Relevance?
  /// True if only some entries or signals are replayed: their digests are not those of the log.
  private var isPartial: Bool { relevance != nil || origin.part != nil }
  /// The number of entries replayed.
  private(set) var entryCount = 0
  /// The size of their commits in bytes.
  private(set) var byteCount = 0
  private var contents: [[UInt8]?] = []
  /// The sender of the current entry; `nil` if there is none, or if an older log does not record it.
  private(set) var sender: EntrySender?
  private var reader = EntryReader([])
  private var fault: StateError?

  /// Resumes from a snapshot.
  ///
  /// - Parameter read: Reads its configuration.
  convenience init(
    _ snapshot: Snapshot,
    reading read: ([UInt8]) throws(StateError) -> ReplayedConfiguration = ReplayedConfiguration.init(bytes:)
  ) throws(StorageError) {
    do throws(StateError) { try self.init(state: snapshot, reading: read) } catch {
      throw StorageError(
        .damaged, "cannot resume from the snapshot at commit \(snapshot.number): \(error.message)")
    }
  }

  private init(
    state snapshot: Snapshot, reading read: ([UInt8]) throws(StateError) -> ReplayedConfiguration
  ) throws(StateError) {
    recorder = nil
    (firstCommit, lastCommit) = (snapshot.number, snapshot.number)
    origin = try read(snapshot.configuration)
    var state = StateDecoder(snapshot.state)
    owed = OwedWritings()
    try owed.readContents(from: &state)
    durable = try Self.durable(origin, Array(try state.blob()), nil)
    try owed.readOthers(from: &state)
    guard durable.hash.value == snapshot.hash else { throw StateError("rolling hash mismatch") }
    durable.world.nextContent = { [unowned self] in nextContent() }
    durable.world.onDamage = { [unowned self] in fault = fault ?? $0 }
    durable.world.onWrite = { [unowned self] in owed.add($0) }
  }

  /// Resumes from an intermediate state, entry by entry.
  ///
  /// - Parameter recorder: Records what happens.
  init(_ origin: ReplayedConfiguration, _ state: [UInt8], recorder: ProvenanceRecorder?) throws(StorageError) {
    (self.origin, self.recorder, owed, firstCommit, lastCommit) = (origin, recorder, OwedWritings(), 0, 0)
    do throws(StateError) { durable = try Self.durable(origin, state, recorder) } catch {
      throw StorageError(.damaged, "the graphs cannot resume from their own state: \(error.message)")
    }
  }

  private static func durable(
    _ origin: ReplayedConfiguration, _ state: [UInt8], _ recorder: ProvenanceRecorder?
  ) throws(StateError) -> DurableRuntime {
    let durable = DurableRuntime(
      origin.replayed, world: DurableWorld(.stateLog), mirrors: DurableRuntime.mirrors(in: origin.home),
      isResuming: true, recorder: recorder)
    try durable.resume(state, .recorded, isPart: origin.part != nil)
    return durable
  }

  var stored: StoredConfiguration { origin.stored }
  var configuration: Configuration { stored.configuration }
  /// The signals that are to be reset after the replay.
  var discarded: Set<String> { stored.discarded }

  private func nextContent() -> [UInt8]? {
    do throws(StateError) {
      let content = try reader.readContent()
      contents.append(content)
      return content
    } catch {
      fault = fault ?? error
      return nil
    }
  }

  private func perform(_ entry: Entry, at time: EntryTime, repeating cuts: [TurnCut]) {
    self.cuts = cuts
    contents = []
    if let recorder {
      recorder.enter(entryCount, at: (time.instant, time.microseconds)) {
        durable.perform(entry, at: time, repeating: cuts)
      }
    } else {
      durable.perform(entry, at: time, repeating: cuts)
    }
    entryCount += 1
    onDone(entry, time, contents)
  }

  /// Performs a single entry that was read before.
  ///
  /// - Parameters:
  ///   - number: The number of the entry.
  ///   - contents: The contents of files that were read for it.
  ///   - cuts: The turns that took too long.
  func perform(
    _ entry: Entry, at time: EntryTime, numbered number: Int, reading contents: [[UInt8]?], repeating cuts: [TurnCut]
  ) {
    var contents = contents[...]
    durable.world.nextContent = { contents.popFirst() ?? nil }
    entryCount = number
    perform(entry, at: time, repeating: cuts)
  }

  /// The signals whose values are performed, by their indices in the log; empty for all.
  private lazy var wantedPlaces: [Bool] = {
    guard isPartial else { return [] }
    let count = origin.part?.wholeCount ?? durable.places.count
    return (0..<UInt32(count)).map { place in
      let place = origin.part.map { $0.place(place) } ?? place
      return place.map { relevance?.includes($0) ?? true } ?? false
    }
  }()

  /// Returns an entry of the log as it is to be performed, if at all.
  private func wanted(_ entry: Entry) -> Entry? {
    let entry = origin.part.map { $0.entry(entry) } ?? entry
    return entry.flatMap { relevance?.includes($0) ?? true ? $0 : nil }
  }

  func work(out commit: Commit) throws(StorageError) {
    do throws(StateError) {
      reader = EntryReader(commit.entries)
      byteCount += commit.entries.count
      var number = 0
      while true {
        if isPartial {
          let skipped = reader.skipValues(unless: wantedPlaces)
          if skipped.count > 0 { durable.pass(to: skipped.time) }
          number += skipped.count
        }
        guard let (read, time) = try reader.read() else { break }
        number += 1
        sender = reader.sender
        guard let entry = wanted(read) else {
          durable.pass(to: time)
          _ = try reader.readDigest()
          continue
        }
        if isPartial, !reader.cuts.isEmpty {
          onCut()
          throw StateError("a turn was cut by the work of all graphs, so that none can be replayed alone")
        }
        onEntry(entry, time)
        durable.emissions.places = []
        owed.remove(completedBy: entry)
        perform(entry, at: time, repeating: reader.cuts)
        if let fault { throw fault }
        guard try reader.readDigest() == durable.hash.digest || isPartial else {
          throw StateError(
            "replay diverged at entry \(number), \(durable.summary(of: entry)): \(made); "
              + "refusing to start the graphs")
        }
      }
    } catch {
      throw StorageError(.damaged, "commit \(commit.number): \(error.message)")
    }
    guard durable.hash.value == commit.hash || isPartial else {
      throw StorageError(.damaged, "replay diverged at commit \(commit.number)")
    }
    lastCommit = commit.number
  }
}

extension Replay {
  /// The maximum number of signals listed.
  private static let longestList = 8

  /// The actual effects of the current entry, for messages: the divergence begins with one of these signals, or with a
  /// missing event.
  private var made: String {
    var names: [String] = []
    for signal in (durable.emissions.places ?? []).map({ durable.places[$0] }) where !names.contains(signal.name) {
      if names.count == Self.longestList { return "now \(names.joined(separator: ", ")) and others emit values" }
      names.append(signal.name)
    }
    if names.isEmpty { return "now no signal emits a value" }
    return "now \(names.joined(separator: ", ")) \(names.count == 1 ? "emits" : "emit") values"
  }
}

extension DurableRuntime {
  /// Returns a short description of an entry.
  func summary(of entry: Entry) -> String {
    func name(_ place: UInt32) -> String { places.indices.contains(Int(place)) ? places[Int(place)].name : "?" }
    switch entry {
    case .value(_, let place, _), .values(_, let place, _): return "a value for \(name(place))"
    case .ending(_, let place, _): return "an ending of \(name(place))"
    case .timers: return "timers"
    case .crossing(_, let place): return "an event of \(name(place))"
    case .listening(_, let place): return "a subscriber of \(name(place))"
    case .restart(let places): return "a restart of \(places.map(name).joined(separator: ", "))"
    case .world: return "an event of a file, the system journal, a program or a bus"
    case .content: return "the content of a file"
    case .appended: return "lines appended to files"
    case .replaced: return "contents written to files"
    case .progress(_, let place, _, _): return "values of one message for \(name(place))"
    }
  }
}

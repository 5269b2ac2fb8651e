import JSON
import Journal
import ReactiveCore
import SignalGraph

/// Durable graphs as they were when the last commit was written: worked out from the newest snapshot and the commits
/// behind it.
struct Recovered {
  let durable: DurableRuntime
  /// The configuration under which they were written; `nil` where there was nothing.
  let configuration: Configuration?
  let lastCommit: UInt64
  /// What was written to files and is perhaps not there.
  let owedWritings: OwedWritings
  /// The signals that are to begin afresh.
  let forgotten: Set<String>

  /// - Parameters:
  ///   - configuration: The configuration that is to run, for a folder in which nothing is yet.
  ///   - progressed: Told now and then how many entries have been worked out.
  init(
    from folder: some RecordedState, _ configuration: Configuration, progressed: (Int) -> Void
  ) throws(StorageError) {
    guard let snapshot = try folder.newestSnapshot() else {
      durable = DurableRuntime(
        configuration.durablePart, world: JournalWorld(.journal), mirrors: DurableRuntime.mirrors(), isResuming: true)
      self.configuration = nil
      lastCommit = 0
      owedWritings = OwedWritings()
      forgotten = []
      return
    }
    let replay = try Replay(snapshot)
    var done = 0
    try folder.forEachCommit(after: snapshot.number) { commit throws(StorageError) in
      try replay.work(out: commit)
      done += commit.count
      progressed(done)
    }
    durable = replay.durable
    self.configuration = replay.configuration
    lastCommit = replay.lastCommit
    owedWritings = replay.owed
    forgotten = replay.forgotten
  }
}

/// Works out commits again, one after another.
final class Replay {
  let durable: DurableRuntime
  /// The configuration under which they were written.
  let stored: StoredConfiguration
  /// What was written to files since, as far as nobody has noted that it is there.
  private(set) var owed: OwedWritings
  /// The commit of the snapshot from which it goes on, and the last one that was worked out.
  let firstCommit: UInt64
  private(set) var lastCommit: UInt64
  /// Told of each entry before it is worked out.
  var onEntry: (Entry, EntryTime) -> Void = { _, _ in }
  /// Told of each entry once it was worked out, with the contents of files that were read for it.
  var onDone: (Entry, EntryTime, [[UInt8]?]) -> Void = { _, _, _ in }
  private let watch: Watch?
  /// How many entries have been worked out.
  private(set) var entryCount = 0
  /// How many bytes their commits have.
  private(set) var byteCount = 0
  private var contents: [[UInt8]?] = []
  /// The client that sent the entry which is being worked out; `nil` where nobody did, or an older journal does not say.
  private(set) var sender: EntrySender?
  private var reader = EntryReader([])
  private var fault: StateError?

  /// Goes on from a snapshot.
  convenience init(_ snapshot: Snapshot) throws(StorageError) {
    do throws(StateError) { try self.init(state: snapshot) } catch {
      throw StorageError(
        .damaged, "the snapshot at commit \(snapshot.number) cannot be gone on from: \(error.message)")
    }
  }

  private init(state snapshot: Snapshot) throws(StateError) {
    watch = nil
    (firstCommit, lastCommit) = (snapshot.number, snapshot.number)
    stored = try StoredConfiguration(snapshot.configuration)
    var state = StateReader(snapshot.state)
    owed = OwedWritings()
    try owed.readContents(from: &state)
    durable = try Self.durable(stored, Array(try state.blob()), nil)
    try owed.readOthers(from: &state)
    guard durable.hash.value == snapshot.hash else { throw StateError("its rolling hash is another one") }
    durable.world.nextContent = { [unowned self] in nextContent() }
    durable.world.onWrite = { [unowned self] in owed.add($0) }
  }

  /// Goes on from a state that was taken in between, entry by entry.
  ///
  /// - Parameter watch: Notes what happens.
  init(_ stored: StoredConfiguration, _ state: [UInt8], watch: Watch?) throws(StorageError) {
    (self.stored, self.watch, owed, firstCommit, lastCommit) = (stored, watch, OwedWritings(), 0, 0)
    do throws(StateError) { durable = try Self.durable(stored, state, watch) } catch {
      throw StorageError(.damaged, "the graphs cannot go on from a state of their own: \(error.message)")
    }
  }

  private static func durable(
    _ stored: StoredConfiguration, _ state: [UInt8], _ watch: Watch?
  ) throws(StateError) -> DurableRuntime {
    let durable = DurableRuntime(
      stored.configuration.durablePart, world: JournalWorld(.journal), mirrors: DurableRuntime.mirrors(),
      isResuming: true, watch: watch)
    try durable.resume(state, .recorded)
    return durable
  }

  var configuration: Configuration { stored.configuration }
  /// The signals that are to begin afresh once it goes on.
  var forgotten: Set<String> { stored.forgotten }

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

  private func perform(_ entry: Entry, at time: EntryTime) {
    contents = []
    if let watch {
      watch.enter(entryCount, at: (time.instant, time.microseconds)) { durable.perform(entry, at: time) }
    } else {
      durable.perform(entry, at: time)
    }
    entryCount += 1
    onDone(entry, time, contents)
  }

  /// Works an entry out by itself, which was read before.
  ///
  /// - Parameters:
  ///   - number: Its own.
  ///   - contents: What files held that were read for it.
  func perform(_ entry: Entry, at time: EntryTime, numbered number: Int, reading contents: [[UInt8]?]) {
    var contents = contents[...]
    durable.world.nextContent = { contents.popFirst() ?? nil }
    entryCount = number
    perform(entry, at: time)
  }

  func work(out commit: Commit) throws(StorageError) {
    do throws(StateError) {
      reader = EntryReader(commit.entries)
      byteCount += commit.entries.count
      var number = 0
      while let (entry, time) = try reader.read() {
        number += 1
        sender = reader.sender
        onEntry(entry, time)
        durable.emissions.places = []
        if case .appended(let count) = entry { owed.removeAppended(count) }
        perform(entry, at: time)
        if let fault { throw fault }
        guard try reader.readDigest() == durable.hash.digest else {
          throw StateError(
            "entry \(number), \(durable.summary(of: entry)), does not lead to what it led to before: \(made); "
              + "the graphs do not go on as if nothing were")
        }
      }
    } catch {
      throw StorageError(.damaged, "commit \(commit.number): \(error.message)")
    }
    guard durable.hash.value == commit.hash else {
      throw StorageError(.damaged, "commit \(commit.number) does not lead to what it led to before")
    }
    lastCommit = commit.number
  }
}

extension Replay {
  /// How many signals are named at most.
  private static let longestList = 8

  /// The effects that the present entry has now, for people: one of these signals is the first that went another
  /// way, or one that has said nothing.
  private var made: String {
    var names: [String] = []
    for signal in (durable.emissions.places ?? []).map({ durable.places[$0] }) where !names.contains(signal.name) {
      if names.count == Self.longestList { return "now \(names.joined(separator: ", ")) and others make something" }
      names.append(signal.name)
    }
    if names.isEmpty { return "now no signal makes anything" }
    return "now \(names.joined(separator: ", ")) \(names.count == 1 ? "makes" : "make") something"
  }
}

extension DurableRuntime {
  /// An entry in a few words, for people.
  func summary(of entry: Entry) -> String {
    func name(_ place: UInt32) -> String { places.indices.contains(Int(place)) ? places[Int(place)].name : "?" }
    switch entry {
    case .value(_, let place, _), .values(_, let place, _): return "a value for \(name(place))"
    case .ending(_, let place, _): return "an ending of \(name(place))"
    case .timers: return "timers"
    case .crossing(_, let place): return "an event of \(name(place))"
    case .listening(_, let place): return "a listener of \(name(place))"
    case .restart(let places): return "a restart of \(places.map(name).joined(separator: ", "))"
    case .world: return "an event of a file, the journal, a program or a bus"
    case .content: return "the content of a file"
    case .appended: return "lines that were added to files"
    }
  }
}

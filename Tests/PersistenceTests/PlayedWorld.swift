import GraphEngine
import GraphModel
import GraphStories
import ReactiveCore

/// A world whose files, programs and buses are controlled by a test.
final class PlayedWorld: GraphWorld {
  let played = PlayedBuses()
  var buses: any BusWorld { played }
  var files: [String: [UInt8]] = [:]
  private(set) var written: [String] = []
  /// The start positions of followed files.
  private(set) var tailed: [TailStart] = []
  /// The start positions in the journal.
  private(set) var journalStarts: [SystemJournalStart] = []
  /// The start positions of followed glob patterns.
  private(set) var globStarts: [GlobStart] = []
  /// The files known at the start of watched folders.
  private(set) var folderStarts: [[FolderFile]?] = []
  private var folders: [Int: (FolderEvent) -> Void] = [:]
  private var globs: [Int: (GlobEvent) -> Void] = [:]
  private var journals: [Int: (SystemJournalEvent) -> Void] = [:]
  private var watches: [Int: (path: String, changed: (ContentChange) -> Void)] = [:]
  private var tails: [Int: (path: String, receive: (TailEvent) -> Void)] = [:]
  private var programs: [Int: (program: Program, receive: (ProgramEvent) -> Void)] = [:]
  private var terminated: [(ProgramEvent) -> Void] = []
  private var last = 0

  func forget() {
    (watches, tails, globs, folders) = ([:], [:], [:], [:])
    (journals, programs, terminated) = ([:], [:], [])
    played.forget()
  }

  var running: [String] { programs.sorted { $0.key < $1.key }.map { $0.value.program.command.joined(separator: " ") } }

  /// The input and environment of each running program.
  var given: [String] {
    programs.sorted { $0.key < $1.key }.map {
      ([String(decoding: $0.value.program.input, as: UTF8.self)] + $0.value.program.environment).joined(separator: " ")
    }
  }

  func change(_ path: String, to content: String) {
    files[path] = Array(content.utf8)
    for recorder in watches.values where recorder.path == path { recorder.changed(.done) }
  }

  func append(_ text: String, to path: String, reaching place: TailPlace? = nil) {
    for tail in tails.values where tail.path == path {
      tail.receive(.appended(Array(text.utf8)))
      if let place { tail.receive(.reached(place)) }
    }
  }

  /// Exits programs, in the order of their starts.
  func exit(_ status: Int32) {
    let ended = programs.sorted { $0.key < $1.key }
    programs = [:]
    for (_, program) in ended { program.receive(.ended(.exited(status))) }
  }

  func say(_ text: String) {
    for (_, program) in programs.sorted(by: { $0.key < $1.key }) { program.receive(.output(Array(text.utf8))) }
  }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { files[path] }

  func write(_ writing: FileWriting) throws(SignalFailure) {
    files["\(writing.path)"] = writing.content
    written.append("\(writing.path) \(String(decoding: writing.content, as: UTF8.self))")
  }

  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    last += 1
    watches[last] = (path, changed)
    return AnyDisposable { [self, last] in watches[last] = nil }
  }

  func tail(
    file path: String, for owner: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable {
    last += 1
    tailed.append(start)
    tails[last] = (path, receive)
    return AnyDisposable { [self, last] in tails[last] = nil }
  }

  func tail(
    pattern: String, for owner: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    last += 1
    globStarts.append(start)
    globs[last] = receive
    return AnyDisposable { [self, last] in globs[last] = nil }
  }

  /// Delivers events to the followers of glob patterns.
  func tell(_ events: GlobEvent...) {
    for event in events {
      for receive in globs.values { receive(event) }
    }
  }

  func watch(
    _ query: FolderQuery, from known: [FolderFile]?, _ receive: @escaping (FolderEvent) -> Void
  ) -> any Disposable {
    last += 1
    folderStarts.append(known)
    folders[last] = receive
    return AnyDisposable { [self, last] in folders[last] = nil }
  }

  /// Delivers events to the watches of folders.
  func tell(_ events: FolderEvent...) {
    for event in events {
      for receive in folders.values { receive(event) }
    }
  }

  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    last += 1
    journalStarts.append(start)
    journals[last] = receive
    return AnyDisposable { [self, last] in journals[last] = nil }
  }

  /// Delivers an event to the followers of the journal.
  func enterIntoJournal(_ event: SystemJournalEvent) { for receive in journals.values { receive(event) } }

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    last += 1
    programs[last] = (program, receive)
    return Played { [self, last] in
      if let program = programs.removeValue(forKey: last) { terminated.append(program.receive) }
    }
  }

  /// Exits the programs that were asked to.
  func tellEnds() {
    let ended = terminated
    terminated = []
    for receive in ended { receive(.ended(.killed(15))) }
  }

  /// The lines that graphs have logged.
  private(set) var logged: [String] = []

  func log(_ message: String, signal: String) { logged.append("\(signal): \(message)") }

  private final class Played: RunningProgram {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    func terminate() { end() }
  }
}

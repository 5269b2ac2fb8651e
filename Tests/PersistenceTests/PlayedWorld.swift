import GraphEngine
import GraphModel
import GraphStories
import Signals

/// A world whose files, programs and buses are controlled by a test.
final class PlayedWorld: GraphWorld {
  let played = PlayedBuses()
  var buses: any BusWorld { played }
  var files: [String: [UInt8]] = [:]
  private(set) var written: [String] = []
  let queries = PlayedQueries()
  private var programs: [Int: (program: Program, receive: (ProgramEvent) -> Void)] = [:]
  private var terminated: [(ProgramEvent) -> Void] = []
  private var last = 0

  func forget() {
    queries.forget()
    (programs, terminated) = ([:], [])
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
    queries.deliver([.done], to: ContentQuery.self) { $0.path == path }
  }

  func append(_ text: String, to path: String, reaching place: TailPlace? = nil) {
    let events = [.appended(Array(text.utf8))] + (place.map { [TailEvent.reached($0)] } ?? [])
    queries.deliver(events, to: TailQuery.self) { $0.path == path }
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

  func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable { queries.follow(query, from: start, receive) }

  /// The start positions of followed files.
  var tailed: [TailStart] { queries.starts(of: TailQuery.self).map(\.start) }
  /// The start positions in the journal.
  var journalStarts: [SystemJournalStart] { queries.starts(of: SystemJournalQuery.self).map(\.start) }
  /// The start positions of followed glob patterns.
  var globStarts: [GlobStart] { queries.starts(of: GlobQuery.self).map(\.start) }
  /// The files known at the start of watched folders.
  var folderStarts: [[FolderFile]?] { queries.starts(of: FolderQuery.self).map(\.start) }

  /// Delivers events to the followers of glob patterns.
  func tell(_ events: GlobEvent...) { queries.deliver(events, to: GlobQuery.self) }

  /// Delivers events to the watches of folders.
  func tell(_ events: FolderEvent...) { queries.deliver(events, to: FolderQuery.self) }

  /// Delivers an event to the followers of the journal.
  func enterIntoJournal(_ event: SystemJournalEvent) { queries.deliver([event], to: SystemJournalQuery.self) }

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

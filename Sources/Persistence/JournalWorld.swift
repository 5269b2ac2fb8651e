import ReactiveCore
import SignalGraph

/// The system around durable graphs: what it tells enters through the journal, and what was read is kept there.
///
/// While the graphs are worked out again from a journal it tells what stands there, and does nothing outside.
final class JournalWorld: GraphWorld {
  /// Whether it is the system itself, or what a journal says of it.
  enum Source {
    case system(any GraphWorld)
    case journal
  }

  var source: Source
  /// Takes an event of the system, and works it out.
  var enter: (WorldEvent, UInt64) -> Void = { _, _ in }
  /// Takes note of a file's content that was read.
  var noteContent: ([UInt8]?) -> Void = { _ in }
  /// Gives the content that was read at this point of the journal.
  var nextContent: () -> [UInt8]? = { nil }
  /// Takes what is to be written to a file once its cause is on disk.
  var onWrite: (FileWriting) -> Void = { _ in }
  /// Takes something that is to be done outside once its cause is on disk, and about how many bytes it holds.
  var onDeed: (Int, @escaping () -> Void) -> Void = { _, _ in }
  /// Whether attachments get new numbers rather than those that they had: nothing of before is attached any more.
  var beginsAnew = true
  private(set) var lastNumber: UInt64 = 0
  private var attachments: [UInt64: (WorldEvent) -> Void] = [:]

  init(_ source: Source) { self.source = source }

  /// Has an attachment work out an event.
  func deliver(_ event: WorldEvent, to number: UInt64) { attachments[number]?(event) }

  func restore(lastNumber: UInt64) { self.lastNumber = lastNumber }

  /// Forgets all attachments, and hears nothing more: those who had them are gone.
  func detachAll() {
    attachments = [:]
    enter = { _, _ in }
  }

  func number(after earlier: UInt64) -> UInt64 {
    if !beginsAnew, earlier > 0 { return earlier }
    lastNumber += 1
    return lastNumber
  }

  func numbered(_ number: UInt64) -> any GraphWorld { Attachment(number, self) }

  var buses: any BusWorld { JournalBuses(self) }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? {
    guard case .system(let system) = source else { return nextContent() }
    let content = system.contents(ofFile: path, limit: limit)
    noteContent(content)
    return content
  }

  func write(_ writing: FileWriting) throws(SignalFailure) { onWrite(writing) }

  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    numbered(number(after: 0)).watch(file: path, changed)
  }

  func tail(
    file path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable {
    numbered(number(after: 0)).tail(file: path, from: start, receive)
  }

  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    numbered(number(after: 0)).tail(pattern: pattern, from: start, receive)
  }

  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    numbered(number(after: 0)).follow(query, from: start, receive)
  }

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    numbered(number(after: 0)).start(program, receive)
  }

  func log(_ message: String, signal: String) {
    if case .system(let system) = source { system.log(message, signal: signal) }
  }

  func trace(_ message: String, signal: String) {
    if case .system(let system) = source { system.trace(message, signal: signal) }
  }

  // MARK: Attachments

  var system: (any GraphWorld)? {
    if case .system(let system) = source { system } else { nil }
  }

  func attach(_ number: UInt64, _ receive: @escaping (WorldEvent) -> Void) {
    attachments[number] = receive
  }

  func detach(_ number: UInt64) { attachments[number] = nil }
}

/// The world as one attachment sees it, whose events are known by its number.
private final class Attachment: GraphWorld {
  private let number: UInt64
  private let world: JournalWorld

  init(_ number: UInt64, _ world: JournalWorld) {
    self.number = number
    self.world = world
  }

  var buses: any BusWorld { JournalBuses(world, number: number) }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { world.contents(ofFile: path, limit: limit) }

  func write(_ writing: FileWriting) throws(SignalFailure) { try world.write(writing) }

  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    world.attach(number) { if case .change(let change) = $0 { changed(change) } }
    let watch = world.system?.watch(file: path) { [world, number] in world.enter(.change($0), number) }
    return AnyDisposable { [world, number] in
      world.detach(number)
      watch?.dispose()
    }
  }

  func tail(
    file path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable {
    world.attach(number) { if case .tail(let event) = $0 { receive(event) } }
    let tail = world.system?.tail(file: path, from: start) { [world, number] in world.enter(.tail($0), number) }
    return AnyDisposable { [world, number] in
      world.detach(number)
      tail?.dispose()
    }
  }

  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    world.attach(number) { if case .glob(let event) = $0 { receive(event) } }
    let tail = world.system?.tail(pattern: pattern, from: start) { [world, number] in
      world.enter(.glob($0), number)
    }
    return AnyDisposable { [world, number] in
      world.detach(number)
      tail?.dispose()
    }
  }

  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    world.attach(number) { if case .systemJournal(let event) = $0 { receive(event) } }
    let reading = world.system?.follow(query, from: start) { [world, number] in
      world.enter(.systemJournal($0), number)
    }
    return AnyDisposable { [world, number] in
      world.detach(number)
      reading?.dispose()
    }
  }

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    world.attach(number) { [world, number] event in
      guard case .program(let event) = event else { return }
      if case .ended = event { world.detach(number) }
      receive(event)
    }
    let run = JournalledProgram()
    guard let system = world.system else { return run }
    let begin = { [world, number] in
      run.begin {
        system.start(program) { world.enter(.program($0), number) }
      } orElse: {
        world.enter(.program(.ended(.killed(15))), number)
      }
    }
    if program.purpose == .effect { world.onDeed(program.input.count, begin) } else { begin() }
    return run
  }

  func log(_ message: String, signal: String) { world.log(message, signal: signal) }

  func trace(_ message: String, signal: String) { world.trace(message, signal: signal) }
}

/// A program that runs or is about to, or one that has run when the journal was written.
private final class JournalledProgram: RunningProgram {
  private var run: (any RunningProgram)?
  /// Whether it was ended before it began.
  private var isOver = false

  /// Runs it, unless it was ended before.
  func begin(_ start: () -> any RunningProgram, orElse tell: () -> Void) {
    if isOver { return tell() }
    run = start()
  }

  func terminate() {
    isOver = true
    run?.terminate()
  }
}

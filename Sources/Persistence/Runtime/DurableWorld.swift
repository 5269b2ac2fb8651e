import GraphEngine
import GraphModel
import Signals

/// The system around durable graphs: its events are logged before delivery, and so are the contents of files that are
/// read.
///
/// During replay, it reproduces the logged events and does nothing outside.
final class DurableWorld: GraphWorld {
  /// The origin of events: the system, or the log.
  enum Source {
    case system(any GraphWorld)
    case stateLog
  }

  var source: Source
  /// Logs and performs an event of the system.
  var enter: (WorldEvent, UInt64) -> Void = { _, _ in }
  /// Logs the content of a file that was read.
  var noteContent: ([UInt8]?) -> Void = { _ in }
  /// Returns the content that was read at this point of the log.
  var nextContent: () -> [UInt8]? = { nil }
  /// Reports a logged event that cannot be decoded.
  var onDamage: (StateError) -> Void = { _ in }
  /// Enqueues a file write until its cause is on disk.
  var onWrite: (FileWriting) -> Void = { _ in }
  /// Returns the content that a file will have after the enqueued writes, if one of them replaces it.
  var owedContent: (_ path: String) -> [UInt8]? = { _ in nil }
  /// Enqueues an external effect, with its approximate size in bytes, until its cause is on disk.
  var onEffect: (Int, @escaping () -> Void) -> Void = { _, _ in }
  /// True if attachments get new numbers rather than those in the state, since none of the earlier ones persist.
  var restarts = true
  private(set) var lastNumber: UInt64 = 0
  private var attachments: [UInt64: (WorldEvent) -> Void] = [:]

  init(_ source: Source) { self.source = source }

  /// Delivers an event to an attachment.
  func deliver(_ event: WorldEvent, to number: UInt64) { attachments[number]?(event) }

  func restore(lastNumber: UInt64) { self.lastNumber = lastNumber }

  /// Removes all attachments and ignores further events.
  func detachAll() {
    attachments = [:]
    enter = { _, _ in }
    noteContent = { _ in }
  }

  func number(after earlier: UInt64) -> UInt64 {
    if !restarts, earlier > 0 { return earlier }
    lastNumber += 1
    return lastNumber
  }

  func numbered(_ number: UInt64) -> any GraphWorld { Attachment(number, self) }

  var buses: any BusWorld { DurableBuses(self) }

  var network: any NetworkWorld { DurableNetwork(self) }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? {
    guard case .system(let system) = source else { return nextContent() }
    return note(system.contents(ofFile: path, limit: limit))
  }

  /// Those who write a file know the content that it is about to have: its present one is older than their own.
  func contents(ofWrittenFile path: String, limit: Int) -> [UInt8]? {
    guard case .system(let system) = source else { return nextContent() }
    guard let owed = owedContent(path) else { return note(system.contents(ofWrittenFile: path, limit: limit)) }
    return note(owed.count > limit ? nil : owed)
  }

  private func note(_ content: [UInt8]?) -> [UInt8]? {
    noteContent(content)
    return content
  }

  func write(_ writing: FileWriting) throws(SignalFailure) { onWrite(writing) }

  func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
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

  /// Logs the events of something outside, and delivers them to an attachment, until disposed of.
  ///
  /// - Parameter begin: Follows it, unless the events are those of the log.
  func follow(
    _ number: UInt64, _ receive: @escaping (WorldEvent) -> Void,
    from begin: (any GraphWorld, @escaping (WorldEvent) -> Void) -> any Disposable
  ) -> any Disposable {
    attach(number, receive)
    let following = system.map { begin($0) { [self] in enter($0, number) } }
    return AnyDisposable { [self] in
      detach(number)
      following?.dispose()
    }
  }
}

/// The world for one attachment, whose events carry its number.
private final class Attachment: GraphWorld {
  private let number: UInt64
  private let world: DurableWorld

  init(_ number: UInt64, _ world: DurableWorld) {
    self.number = number
    self.world = world
  }

  var buses: any BusWorld { DurableBuses(world, number: number) }

  var network: any NetworkWorld { DurableNetwork(world, number: number) }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { world.contents(ofFile: path, limit: limit) }

  func contents(ofWrittenFile path: String, limit: Int) -> [UInt8]? {
    world.contents(ofWrittenFile: path, limit: limit)
  }

  func write(_ writing: FileWriting) throws(SignalFailure) { try world.write(writing) }

  func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable {
    world.follow(number) { [world] event in
      do throws(StateError) {
        if let event = try event.event(of: Query.self) { receive(event) }
      } catch {
        world.onDamage(error)
      }
    } from: { system, enter in
      system.follow(query, from: start) { enter(WorldEvent($0, of: Query.self)) }
    }
  }

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    world.attach(number) { [world, number] event in
      guard case .program(let event) = event else { return }
      if case .ended = event { world.detach(number) }
      receive(event)
    }
    let run = DurableProgram()
    guard let system = world.system else { return run }
    let begin = { [world, number] in
      run.begin {
        system.start(program) { world.enter(.program($0), number) }
      } orElse: {
        world.enter(.program(.ended(.killed(15))), number)
      }
    }
    if program.purpose == .effect { world.onEffect(program.input.count, begin) } else { begin() }
    return run
  }

  func log(_ message: String, signal: String) { world.log(message, signal: signal) }

  func trace(_ message: String, signal: String) { world.trace(message, signal: signal) }
}

/// A program that is running or pending, or that ran when the log was written.
private final class DurableProgram: RunningProgram {
  private var run: (any RunningProgram)?
  /// True if the program was ended before it started.
  private var isOver = false

  /// Starts the program unless it was already ended.
  func begin(_ start: () -> any RunningProgram, orElse release: () -> Void) {
    if isOver { return release() }
    run = start()
  }

  func terminate() {
    isOver = true
    run?.terminate()
  }
}

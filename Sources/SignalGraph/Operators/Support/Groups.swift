import JSON
import Queues
import ReactiveCore

/// The groups of a stream: a pipe for each key, which is opened when the first value with that key comes.
///
/// A group that is closed completes its pipe, which may go on for a while: delayed values are still to come.
final class Groups: KeptMemory {
  /// One key and its pipe.
  private final class Group {
    let key: JSONValue
    /// Counts all groups, in the order in which they were opened.
    let number: UInt64
    /// Where values enter its pipe; `nil` once it was closed.
    var input: StreamObserver?
    let run = RecipeRun()
    var lastSeen = Instant.zero
    /// Its neighbours among the open groups, by when they were last sent a value.
    unowned(unsafe) var older: Group?
    unowned(unsafe) var newer: Group?

    init(_ key: JSONValue, _ number: UInt64) {
      self.key = key
      self.number = number
    }
  }

  private let context: OperatorContext
  private let pipe: PipeParameter
  private let idle: Duration?
  private let limit: Int
  private let overflow: OverflowPolicy
  private let output: StreamObserver
  private var open: [JSONValue: Group] = [:]
  /// The pipes that run, by the numbers of their groups.
  private var running: [UInt64: Group] = [:]
  /// The open groups in the order in which they were opened; those that were closed are left in for a while.
  private var order = FirstInFirstOut<Group>()
  private var oldest: Group?
  private var newest: Group?
  private var opened: UInt64 = 0
  private var alarm: Alarm?
  private var hasCompleted = false
  private var isOver = false
  private var kept: [KeptGroup] = []

  /// The saved state of one group.
  private struct KeptGroup {
    let key: JSONValue
    let number: UInt64
    let isOpen: Bool
    let lastSeen: Instant
    /// That of its pipe, if that ran.
    let run: StateReader?
  }

  init(
    _ context: OperatorContext, _ pipe: PipeParameter, idle: Duration?, limit: Int, _ overflow: OverflowPolicy,
    _ output: StreamObserver
  ) {
    self.context = context
    self.pipe = pipe
    self.idle = idle
    self.limit = limit
    self.overflow = overflow
    self.output = output
    keep()
    if idle != nil { alarm = Alarm(context) { [unowned self] _, _ in closeIdle() } }
  }

  // MARK: What comes

  /// Sends a value to its group, which is opened for it if need be.
  func receive(_ payload: Payload, key: JSONValue) {
    guard let group = open[key] ?? makeRoom(for: key) else { return }
    group.input?.send(value: payload)
    guard let idle, group.input != nil, !isOver else { return }
    unlink(group)
    group.lastSeen = context.clock.now
    link(group)
    if let alarm, !alarm.isSet { alarm.set(at: group.lastSeen + idle) }
  }

  /// Ends all groups as their stream has ended.
  func end(_ ending: Ending<SignalFailure>) {
    let groups = order.all.filter { $0.input != nil }
    forgetOpen()
    alarm?.cancel()
    guard case .completed = ending else { return output.end(with: SignalEnding(ending)) }
    hasCompleted = true
    for group in groups { group.input.take()?.sendCompleted() }
    completeIfDone()
  }

  /// Opens a group, and closes another one for it if need be; `nil` where there is no room.
  private func makeRoom(for key: JSONValue) -> Group? {
    if open.count >= limit {
      switch overflow {
      case .dropNewest:
        context.dropOne(past: limit, "keys")
        return nil
      case .dropOldest: closeOldest()
      case .fail:
        end(.failed(.overflow(limit, in: context.operatorName)))
        return nil
      }
    }
    opened += 1
    let group = Group(key, opened)
    let (stream, input) = Stream.pipe()
    group.input = input
    open[key] = group
    order.append(group)
    start(group, behind: stream)
    return group
  }

  private func start(_ group: Group, behind stream: Stream, kept: StateReader? = nil) {
    running[group.number] = group
    let recipe = context.body.recipe(at: context.place, adding: [group.key], view: .presentTurn) { [self] run in
      run.stream(of: pipe.steps, behind: stream, onError: context.onError)
    }
    group.run.start(
      recipe, kept: kept,
      StreamObserver(
        value: { [unowned self] in output.send(value: $0) }, ending: { [unowned self] in end($0, of: group) }))
  }

  private func end(_ ending: Ending<SignalFailure>, of group: Group) {
    running[group.number] = nil
    if case .failed = ending { return output.end(with: SignalEnding(ending)) }
    completeIfDone()
  }

  private func completeIfDone() {
    if hasCompleted, running.isEmpty { output.sendCompleted() }
  }

  // MARK: Closing

  /// Completes a group; a later value of its key opens another.
  private func close(_ group: Group) {
    guard let input = group.input.take() else { return }
    unlink(group)
    open[group.key] = nil
    if order.count > 2 * open.count + 16 { tidy() }
    input.sendCompleted()
  }

  private func tidy() {
    let open = order.all.filter { $0.input != nil }
    order = FirstInFirstOut()
    for group in open { order.append(group) }
  }

  private func closeOldest() {
    while let first = order.popFirst() {
      if first.input != nil { return close(first) }
    }
  }

  private func closeIdle() {
    guard let idle else { return }
    while let oldest, oldest.lastSeen + idle <= context.clock.now { close(oldest) }
    if let oldest, !isOver { alarm?.set(at: oldest.lastSeen + idle) }
  }

  private func forgetOpen() {
    open = [:]
    order = FirstInFirstOut()
    (oldest, newest) = (nil, nil)
  }

  func stop() {
    isOver = true
    alarm?.dispose()
    for group in running.values { group.run.stop() }
    running = [:]
    forgetOpen()
  }

  // MARK: By age

  private func link(_ group: Group) {
    group.older = newest
    newest?.newer = group
    newest = group
    if oldest == nil { oldest = group }
  }

  private func unlink(_ group: Group) {
    guard group === oldest || group.older != nil else { return }
    if let older = group.older { older.newer = group.newer } else { oldest = group.newer }
    if let newer = group.newer { newer.older = group.older } else { newest = group.older }
    (group.older, group.newer) = (nil, nil)
  }

  // MARK: Saving

  func store(in writer: inout StateWriter) {
    opened.store(in: &writer)
    hasCompleted.store(in: &writer)
    let groups = Dictionary(
      (order.all.filter { $0.input != nil } + running.values).map { ($0.number, $0) }
    ) { first, _ in first }
    writer.count(groups.count)
    for group in groups.values.sorted(by: { $0.number < $1.number }) {
      group.key.store(in: &writer)
      group.number.store(in: &writer)
      (group.input != nil).store(in: &writer)
      group.lastSeen.store(in: &writer)
      (running[group.number] != nil).store(in: &writer)
      if running[group.number] != nil { group.run.store(in: &writer) }
    }
    // Of those that were last seen at the same moment the order is told apart.
    var ages: [UInt64] = []
    var next = oldest
    while let group = next {
      ages.append(group.number)
      next = group.newer
    }
    ages.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    opened = try UInt64(from: &reader)
    hasCompleted = try Bool(from: &reader)
    for _ in 0..<(try reader.count()) {
      kept.append(
        KeptGroup(
          key: try JSONValue(from: &reader), number: try UInt64(from: &reader), isOpen: try Bool(from: &reader),
          lastSeen: try Instant(from: &reader), run: try Bool(from: &reader) ? try reader.part() : nil))
    }
    keptAges = try [UInt64](from: &reader)
    let open = kept.filter(\.isOpen)
    guard Set(kept.map(\.number)).count == kept.count, Set(open.map(\.key)).count == open.count,
      Set(keptAges).count == keptAges.count, Set(keptAges).isSubset(of: open.map(\.number))
    else { throw StateError("groups are kept that cannot be at the same time") }
  }

  private var keptAges: [UInt64] = []

  /// Has the groups of the saved state go on.
  func resume() {
    var byNumber: [UInt64: Group] = [:]
    for kept in kept {
      let group = Group(kept.key, kept.number)
      group.lastSeen = kept.lastSeen
      byNumber[group.number] = group
      var stream = Stream.never
      if kept.isOpen {
        let pipe = Stream.pipe()
        (stream, group.input) = (pipe.output, pipe.input)
        open[group.key] = group
        order.append(group)
      }
      if let run = kept.run { start(group, behind: stream, kept: run) }
    }
    for number in keptAges {
      if let group = byNumber[number] { link(group) }
    }
    (kept, keptAges) = ([], [])
  }
}

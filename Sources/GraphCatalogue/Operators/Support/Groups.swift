import Base
import GraphEngine
import GraphModel
import JSON
import Signals

/// The groups of a stream: a pipe for each key, opened by the first value with that key.
///
/// Closing a group completes its input; its pipe may continue for a while to emit delayed values.
final class Groups: KeptMemory {
  private final class Group {
    let key: JSONValue
    /// A counter of groups, in the order of opening.
    let number: UInt64
    /// The input of its pipe; `nil` once the group is closed.
    var input: StreamObserver?
    let run = RecipeRun()
    var lastSeen = Instant.zero
    /// Neighbours among the open groups, ordered by the time of their last value; none once the group is closed.
    var older: Group?
    var newer: Group?

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
  /// The running pipes, by the numbers of their groups.
  private var running: [UInt64: Group] = [:]
  /// The groups in the order of opening; closed ones are removed lazily.
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
    /// The state of its pipe, if that was running.
    let run: StateDecoder?
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
    if idle != nil { alarm = Alarm(context) { [unowned self] _, due in closeIdle(at: due) } }
  }

  // MARK: Receiving

  /// Sends a value to its group; opens the group if necessary.
  func receive(_ payload: Payload, key: JSONValue) {
    guard let group = open[key] ?? makeRoom(for: key) else { return }
    group.input?.send(value: payload)
    guard let idle, group.input != nil, !isOver else { return }
    unlink(group)
    group.lastSeen = context.clock.now
    link(group)
    if let alarm, !alarm.isSet { alarm.set(at: group.lastSeen + idle) }
  }

  /// Ends all groups when their stream has ended.
  func end(_ ending: Ending<SignalFailure>) {
    let groups = order.all.filter { $0.input != nil }
    discardOpen()
    alarm?.cancel()
    guard case .completed = ending else { return output.end(with: SignalEnding(ending)) }
    hasCompleted = true
    for group in groups { group.input.take()?.sendCompleted() }
    completeIfDone()
  }

  /// Opens a group and closes another one if necessary; `nil` if the limit does not permit it.
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

  private func start(_ group: Group, behind stream: Stream, kept: StateDecoder? = nil) {
    running[group.number] = group
    let recipe = context.body.recipe(at: context.place, adding: [group.key], view: .presentTurn) { [self] run in
      run.stream(of: pipe.steps, behind: stream, onError: context.onError)
    }
    group.run.start(
      recipe, kept: kept,
      StreamObserver(
        value: { [unowned self] in send($0, of: group) }, ending: { [unowned self] in end($0, of: group) }))
  }

  private func send(_ payload: Payload, of group: Group) {
    context.signal.emit(for: emittingKey(group)) { output.send(value: payload) }
  }

  private func emittingKey(_ group: Group) -> EmittingKey {
    EmittingKey(group.key, number: group.number, in: context)
  }

  private func end(_ ending: Ending<SignalFailure>, of group: Group) {
    running[group.number] = nil
    context.signal.end(emittingKey(group))
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

  private func closeIdle(at due: Instant) {
    guard let idle else { return }
    let moment = context.clock.moment(ofTimerDue: due)
    while let oldest, oldest.lastSeen + idle <= moment { close(oldest) }
    if let oldest, !isOver { alarm?.set(at: oldest.lastSeen + idle) }
  }

  private func discardOpen() {
    for group in open.values { (group.older, group.newer) = (nil, nil) }
    open = [:]
    order = FirstInFirstOut()
    (oldest, newest) = (nil, nil)
  }

  func stop() {
    isOver = true
    alarm?.dispose()
    for group in running.values {
      group.run.stop()
      context.signal.end(emittingKey(group))
    }
    running = [:]
    discardOpen()
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

  func encode(to writer: inout StateEncoder) {
    opened.encode(to: &writer)
    hasCompleted.encode(to: &writer)
    let groups = Dictionary(
      (order.all.filter { $0.input != nil } + running.values).map { ($0.number, $0) }
    ) { first, _ in first }
    writer.count(groups.count)
    for group in groups.values.sorted(by: { $0.number < $1.number }) {
      group.key.encode(to: &writer)
      group.number.encode(to: &writer)
      (group.input != nil).encode(to: &writer)
      group.lastSeen.encode(to: &writer)
      (running[group.number] != nil).encode(to: &writer)
      if running[group.number] != nil { group.run.encode(to: &writer) }
    }
    // Preserves the order of groups with equal times.
    var ages: [UInt64] = []
    var next = oldest
    while let group = next {
      ages.append(group.number)
      next = group.newer
    }
    ages.encode(to: &writer)
  }

  func restore(from reader: inout StateDecoder) throws(StateError) {
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
    else { throw StateError("inconsistent groups") }
  }

  private var keptAges: [UInt64] = []

  /// Resumes the groups of the saved state.
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

import GraphModel
import GraphTools
import JSON
import Signals

/// The possible starts of a test for a span, and the test for each.
struct TestBeginnings {
  /// A start and the form of its test.
  struct Beginning {
    /// The first step included.
    let step: Int
    /// The time 0 of the test.
    let time: EntryTime
    /// True if the test stubs the signals driven by time.
    let hasStubbedClocks: Bool
    /// The time resolution of the test, in nanoseconds.
    let precision: Int64
  }

  /// A test for one of the starts.
  struct Draft {
    let test: TestDraft
    /// The number of steps before the span.
    let lead: Int
    /// The group numbers of the span's steps.
    let groups: [Int]
    /// The start of the span, in the time of the test.
    let start: Duration
    /// True if the test starts with the span; events at its time 0 are then caused by the start.
    let isAtStart: Bool
    /// The maximum difference from the recorded times.
    let precision: Duration

    /// Returns the last group of the span up to a number; 0 if there is none.
    func group(at number: Int) -> Int {
      var (low, high) = (0, groups.count)
      while low < high {
        let middle = (low + high) / 2
        if groups[middle] <= number { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? 0 : groups[low - 1]
    }
  }

  private let request: HistoryTest.Request
  private let span: RecordedSpan
  private let watched: [String]
  private let graph: String
  private let contributors: Set<String>
  private let order: [String]
  private let start: EntryTime
  private let firstStep: Int
  private let base: RecordedSpan.Base
  /// The initial values of properties in a fresh graph.
  private let initial: [String: JSONValue]

  init(
    _ request: HistoryTest.Request, _ span: RecordedSpan, _ watched: [String], graph: String
  ) throws(HistoryTest.Refusal) {
    (self.request, self.span, self.watched, self.graph) = (request, span, watched, graph)
    let start = span.start ?? span.last
    self.start = start
    let contributors = span.stored.configuration.contributors(to: watched) { span.roles[$0] == .stub }
    self.contributors = contributors
    order = Self.order(contributors, span.stored.configuration)
    let restarts = span.bases.dropFirst().filter { !contributors.isDisjoint(with: $0.restarted) }
    if let restart = restarts.first(where: { $0.time.instant >= start.instant }) {
      let moment = RecordedTime.moment(microseconds: restart.time.microseconds)
      throw .untellable(
        "\(restart.restarted.joined(separator: ", ")) was restarted at \(moment), in the period, which a test cannot "
          + "express; set --until before that, or a later --since")
    }
    base = restarts.last ?? span.bases[0]
    firstStep = span.steps.firstIndex { $0.time.instant >= start.instant } ?? span.steps.count
    initial = Self.initial(span, contributors, graph: graph)
  }

  private static func initial(
    _ span: RecordedSpan, _ contributors: Set<String>, graph: String
  ) -> [String: JSONValue] {
    let inputs = contributors.filter { span.roles[$0] == .input }.sorted()
    let draft = TestDraft(name: "", graph: graph, stubs: [], steps: [], watched: inputs, end: .zero, remarks: [])
    let emissions = (try? draft.rehearse(in: span.stored.configuration)) ?? [:]
    return emissions.compactMapValues { entries in
      guard entries.count == 1, case .next(let payload, _) = entries[0].event else { return nil }
      return payload.value
    }
  }

  /// The start of the recording, in microseconds since 1970.
  var earliest: Int64 { base.time.microseconds }

  /// All starts, latest first: at the span, then with one, two, four and more earlier steps, finally with all.
  var all: [Beginning] {
    let lead = (base.step..<max(base.step, firstStep)).filter { didCommit(span.steps[$0], hasStubbedClocks: false) }
    var moments = [(firstStep, start)]
    var count = 1
    while count < lead.count {
      moments.append(at(lead[lead.count - count]))
      count *= 2
    }
    if let first = lead.first { moments.append(at(first)) }
    if base.time.instant < start.instant { moments.append((base.step, base.time)) }
    let hasClocks = contributors.contains { span.roles[$0] == .clock }
    return moments.flatMap { step, time in
      (hasClocks ? [false, true] : [false]).flatMap { isStubbed in
        [1_000_000, 1].map { Beginning(step: step, time: time, hasStubbedClocks: isStubbed, precision: $0) }
      }
    }
  }

  private func at(_ step: Int) -> (Int, EntryTime) { (step, span.steps[step].time) }

  private func didCommit(_ step: RecordedSpan.Step, hasStubbedClocks: Bool) -> Bool {
    contributors.contains(step.signal) && (hasStubbedClocks || span.roles[step.signal] != .clock)
  }

  // MARK: Drafts

  func draft(_ beginning: Beginning) -> Draft {
    func time(_ instant: Instant) -> Duration {
      let nanoseconds = max(0, instant.nanoseconds - beginning.time.instant.nanoseconds)
      return .nanoseconds(nanoseconds / beginning.precision * beginning.precision)
    }
    var steps = held(at: beginning)
    let heldCount = steps.count
    let given = (beginning.step..<max(beginning.step, span.steps.count)).filter {
      didCommit(span.steps[$0], hasStubbedClocks: beginning.hasStubbedClocks)
    }
    for index in given {
      let step = span.steps[index]
      steps.append(TestDraft.Step(time: time(step.time.instant), signal: step.signal, event: step.event))
    }
    let lead = heldCount + given.prefix { $0 < firstStep }.count
    let spanStart = time(start.instant)
    let test = TestDraft(
      name: request.name, graph: graph, stubs: stubs(beginning), steps: steps, watched: watched,
      end: end(beginning, time), remarks: remarks(beginning, heldCount, lead, spanStart, steps))
    return Draft(
      test: test, lead: lead, groups: given.filter { $0 >= firstStep }.map { span.steps[$0].group }, start: spanStart,
      isAtStart: beginning.time.instant == start.instant,
      // Two times rounded down differ by less than twice the resolution.
      precision: .nanoseconds(2 * beginning.precision))
  }

  private func stubs(_ beginning: Beginning) -> [String] {
    order.filter { span.roles[$0] == .stub || beginning.hasStubbedClocks && span.roles[$0] == .clock }
  }

  /// Returns all contributing signals in the order of the file; the daemon's own are last.
  private static func order(_ contributors: Set<String>, _ configuration: Configuration) -> [String] {
    let declared = configuration.graphs.flatMap(\.signals).map(\.name).filter(contributors.contains)
    return declared + contributors.subtracting(declared).sorted()
  }

  /// Returns the values held by signals at a start, as steps.
  private func held(at beginning: Beginning) -> [TestDraft.Step] {
    let held = span.held(before: beginning.step, since: base)
    return order.flatMap { name -> [TestDraft.Step] in
      guard let kept = held[name], span.roles[name] != .clock || beginning.hasStubbedClocks else { return [] }
      let isInitial = kept.values.count == 1 && kept.values[0].description == initial[name]?.description
      let values: [TestDraft.Event] = isInitial ? [] : kept.values.map { .value($0) }
      return (values + (kept.ending.map { [.ending($0)] } ?? [])).map {
        TestDraft.Step(time: .zero, signal: name, event: $0)
      }
    }
  }

  /// Returns the end of the test: timers that ran late after it are excluded.
  private func end(_ beginning: Beginning, _ time: (Instant) -> Duration) -> Duration {
    let end = max(span.end(at: request.until), start.instant)
    let least = time(max(span.last.instant, start.instant))
    guard let due = span.nextDeadline.map(time), due <= time(end) else { return time(end) }
    return max(least, due - .nanoseconds(beginning.precision))
  }

  private func remarks(
    _ beginning: Beginning, _ held: Int, _ lead: Int, _ spanStart: Duration, _ steps: [TestDraft.Step]
  ) -> [TestDraft.Remark] {
    func text(_ microseconds: Int64) -> String { "\(RecordedTime.moment(microseconds: microseconds))" }
    var remarks: [TestDraft.Remark] = []
    if span.stored.configuration.graphs.count(where: { $0.durability != nil }) > 1 {
      remarks.append(TestDraft.Remark("belongs to the tests of graph \(graph)", before: 0, at: .zero))
    }
    if held > 0 {
      remarks.append(TestDraft.Remark("held at \(text(beginning.time.microseconds))", before: 0, at: .zero))
    }
    if lead > held {
      remarks.append(
        TestDraft.Remark("earlier input, remembered", before: held, at: steps[held].time))
    }
    remarks.append(
      TestDraft.Remark("recorded from \(text(start.microseconds))", before: lead, at: spanStart))
    return remarks
  }
}

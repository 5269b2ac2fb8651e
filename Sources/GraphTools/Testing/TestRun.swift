import GraphEngine
import GraphModel
import JSON
import Signals

/// Runs one test in virtual time.
final class TestRun {
  private let test: GraphTest
  private let rehearsal: Rehearsal
  private let restarts: Bool
  private var records: [String: EventRecord] = [:]
  private var failures: [TestFailure] = []
  private var refusals: [TestFailure.Refusal] = []
  private var refusedSteps: [TestFailure] = []
  /// Deviations from the expectations, by the index of the failure.
  private var surprises: [(failure: Int, TestSurprise)] = []
  private let recorder: ProvenanceRecorder?
  /// The number of steps taken, including the current one.
  private var stepsTaken = 0

  /// True after the graphs could not be restored.
  private var isStranded = false

  /// The maximum number of rejected values in a report.
  private static let mostRefusals = 3

  /// The maximum number of recorded events beyond the expected ones.
  private static let excess = 1000

  /// - Parameter restarts: True to discard the graphs and restore them from their state whenever they are idle.
  /// - Parameter places: The places of sources and operators, for explaining deviations.
  static func outcome(
    of test: GraphTest, in configuration: Configuration, restarts: Bool, explaining places: StepPlaces? = nil
  ) -> TestOutcome {
    let run = TestRun(test, configuration, restarts: restarts)
    run.perform()
    var failures = run.failures
    if let places {
      let explanation = TestExplanation(test, DeclarationsInView(configuration, places)) { recorder, isOver in
        TestRun(test, configuration, restarts: false, recorder: recorder).perform(until: isOver)
      }
      for (index, surprise) in run.surprises { failures[index].lines += explanation.lines(for: surprise) }
    }
    return TestOutcome(test: test, failures: failures)
  }

  /// Returns all events of the signals in a test during its steps, regardless of its expectations.
  ///
  /// - Throws: The first step that was refused.
  static func recording(
    of test: GraphTest, in configuration: Configuration
  ) throws(TestFailure) -> [String: [EventRecord.Entry]] {
    let run = TestRun(test, configuration, restarts: false, limit: .max)
    run.perform()
    if let failure = run.refusedSteps.first { throw failure }
    return run.records.mapValues(\.entries)
  }

  /// - Parameter limit: The maximum number of recorded events per signal; `nil` for slightly more than expected.
  private init(
    _ test: GraphTest, _ configuration: Configuration, restarts: Bool, limit: Int? = nil,
    recorder: ProvenanceRecorder? = nil
  ) {
    self.test = test
    self.restarts = restarts
    self.recorder = recorder
    rehearsal = Rehearsal(
      configuration.limited(to: test), silenced: test.givenSignals, stubs: test.stubs,
      wallOffset: Double(test.start) / 1e6, keepsState: restarts, recorder: recorder)
    rehearsal.onRefusal = { [unowned self] in note($0) }
    rehearsal.onCall = { [unowned self] action, value in
      records[Expectation.calls(of: action)]?.add(.next(value, sequence: 0), at: rehearsal.now, step: stepsTaken)
    }
    for expectation in test.expectations {
      let record = EventRecord(limit: limit ?? expectation.events.count + Self.excess)
      records[expectation.subject] = record
      if let signal = rehearsal.runtime.signal(named: expectation.subject) { subscribe(record, to: signal) }
    }
  }

  /// - Parameter isOver: Called after each instant; returns true to stop the test.
  private func perform(until isOver: () -> Bool = { false }) {
    enter(Self.startEntry) { rehearsal.runtime.start() }
    var steps = test.steps[...]
    while let time = steps.first?.time {
      enter(Self.timeEntry) { move(to: time) }
      while let step = steps.first, step.time == time {
        startAgain()
        stepsTaken += 1
        enter(stepsTaken) { perform(step) }
        steps.removeFirst()
      }
      enter(Self.timeEntry) { finishInstant() }
      if isOver() { return }
    }
    enter(Self.timeEntry) {
      move(to: test.end)
      finishInstant()
    }
    for expectation in test.expectations { compare(expectation) }
  }

  /// The entry numbers of inputs other than steps, which count from 1.
  static let (startEntry, timeEntry) = (0, -1)

  private func enter(_ entry: Int, _ body: () -> Void) {
    if let recorder { recorder.enter(entry, body) } else { body() }
  }

  private func move(to time: Duration) {
    if restarts {
      repeat { startAgain() } while rehearsal.runtime.clock.step(before: .zero + time)
    }
    rehearsal.move(to: time)
  }

  private func finishInstant() {
    if restarts {
      repeat { startAgain() } while rehearsal.runtime.clock.runFirstDueTimer()
    }
    rehearsal.finishInstant()
  }

  /// Restores the graphs from their state, if requested.
  private func startAgain() {
    guard restarts, !isStranded else { return }
    do throws(StateError) {
      try rehearsal.startAgain()
    } catch {
      isStranded = true
      failures.append(TestFailure(stranded: test, at: rehearsal.now, error))
    }
  }

  private func perform(_ step: TestStep) {
    do throws(SendError) {
      switch step.action {
      case .send(let name, let value): try rehearsal.send(value, to: name)
      case .end(let name, let ending, let status): try rehearsal.end(name, with: ending, status: status)
      case .call(let name, let value): try rehearsal.call(name, with: value)
      case .subscribe(let label, let name):
        if let record = records[label] { subscribe(record, to: signal(name)) }
      case .unsubscribe(let label): records[label]?.subscription?.end()
      }
    } catch {
      let clock = rehearsal.runtime.clock
      let failure = TestFailure(
        refused: step, error, isBeforeTimers: clock.nextDeadline.map { $0 <= clock.now } ?? false)
      refusedSteps.append(failure)
      failures.append(failure)
    }
  }

  private func signal(_ name: String) -> RunningSignal {
    guard let signal = rehearsal.runtime.signal(named: name) else { preconditionFailure("\(name) was checked") }
    return signal
  }

  private func compare(_ expectation: Expectation) {
    guard let record = records[expectation.subject],
      let difference = TestDifference(expectation, record.entries, test)
    else { return }
    if let surprise = difference.surprise(expectation.subject) { surprises.append((failures.count, surprise)) }
    failures.append(TestFailure(expectation, difference, refusals))
  }

  // MARK: Recording

  /// Records the retained values, then all events.
  private func subscribe(_ record: EventRecord, to signal: RunningSignal) {
    // The record keeps its subscription, so the subscription must not keep the record.
    record.subscription = rehearsal.subscribe(to: signal) { [unowned self, unowned record] in
      record.add($0, at: rehearsal.now, step: stepsTaken)
    }
  }

  private func note(_ refusal: RefusedValue) {
    guard refusals.count < Self.mostRefusals else { return }
    refusals.append(TestFailure.Refusal(time: rehearsal.now, value: refusal))
  }
}

/// The events of one subject, with their times.
final class EventRecord {
  struct Entry {
    let time: Duration
    let event: SignalEvent
    /// The number of steps taken, including the current one.
    let step: Int
  }

  private(set) var entries: [Entry] = []
  var subscription: Rehearsal.Subscription?
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func add(_ event: SignalEvent, at time: Duration, step: Int) {
    if entries.count < limit { entries.append(Entry(time: time, event: event, step: step)) }
  }
}

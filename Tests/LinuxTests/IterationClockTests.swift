import Linux
import Testing

@Suite struct `The clock of an iteration` {
  private let clock = IterationClock(now: MonotonicInstant(nanoseconds: 0))

  private func move(to time: Duration) { clock.move(to: MonotonicInstant(nanoseconds: 0) + time) }

  @Test func `runs what is due in the order of time, then of arrival, each once`() {
    var run: [String] = []
    for (name, delay) in [("late", 3), ("first", 1), ("second", 1), ("never", 2), ("far", 9)] {
      let timer = clock.schedule(after: .seconds(delay)) { run.append(name) }
      if name == "never" { clock.cancel(timer) }
    }
    #expect(clock.nextDeadline == MonotonicInstant(nanoseconds: 1_000_000_000))
    clock.runDueTimers()
    #expect(run.isEmpty)
    move(to: .seconds(3))
    clock.runDueTimers()
    clock.runDueTimers()
    #expect(run == ["first", "second", "late"])
    #expect(clock.nextDeadline == MonotonicInstant(nanoseconds: 9_000_000_000))
  }

  @Test func `has what may be late fall together, never before its time and never later than allowed`() {
    let slack = Duration.milliseconds(10)
    for delay in [101, 104, 109, 110, 111] { _ = clock.schedule(after: .milliseconds(delay), slack: slack) {} }
    #expect(clock.nextDeadline == MonotonicInstant(nanoseconds: 110_000_000))
    move(to: .milliseconds(110))
    clock.runDueTimers()
    #expect(clock.nextDeadline == MonotonicInstant(nanoseconds: 120_000_000))
  }

  @Test func `runs only what was due before another time, if that is asked for`() {
    var run: [Int] = []
    for delay in 1...3 { _ = clock.schedule(after: .seconds(delay)) { run.append(delay) } }
    move(to: .seconds(5))
    clock.runDueTimers(before: MonotonicInstant(nanoseconds: 0) + .seconds(2))
    #expect(run == [1])
    clock.runDueTimers()
    #expect(run == [1, 2, 3])
  }

  @Test func `lets nothing that is set while timers run keep others waiting`() {
    var runs = 0
    func again() {
      runs += 1
      _ = clock.schedule(after: .zero, action: again)
    }
    again()
    clock.runDueTimers()
    #expect(runs == 2)
    clock.runDueTimers()
    #expect(runs == 3)
  }
}

import JSON
import Linux
import ReactiveCore
import SignalGraph
import Testing

@testable import Daemon

@Suite struct `The pace of a subscription` {
  private let clock = TurnClock(now: MonotonicInstant(nanoseconds: 0))

  private func move(to time: Duration) {
    clock.move(to: MonotonicInstant(nanoseconds: 0) + time)
    clock.runDueTimers()
  }

  @Test func `keeps to its time, although every turn comes a little after its timer`() {
    let pace = Pace(.milliseconds(100), clock: clock)
    var released: [UInt64] = []
    pace.release = { released.append($0.sequence) }
    move(to: .milliseconds(3))
    #expect(pace.admits(entry(0)))
    // It ends late once, with the spans of others, and then each time after its 100 ms.
    for number in 1...20 {
      #expect(!pace.admits(entry(UInt64(number))))
      move(to: .milliseconds(110 + (number - 1) * 100) + .microseconds(300))
    }
    #expect(released == Array(1...20))
  }

  @Test func `lets a whole span pass after one whose end was long past`() {
    let pace = Pace(.milliseconds(100), clock: clock)
    var released: [UInt64] = []
    pace.release = { released.append($0.sequence) }
    #expect(pace.admits(entry(0)))
    #expect(!pace.admits(entry(1)))
    move(to: .milliseconds(1000))
    #expect(released == [1])
    #expect(!pace.admits(entry(2)))
    move(to: .milliseconds(1099))
    #expect(released == [1])
    move(to: .milliseconds(1100))
    #expect(released == [1, 2])
  }

  @Test func `keeps the newest of those that wait, as a graph made it or as its sender wrote it, also elsewhere`()
    throws
  {
    let pace = Pace(.milliseconds(100), clock: clock)
    #expect(admits(pace, "1.0", 1))
    #expect(!admits(pace, "22222", 2))
    #expect(!pace.admits(entry(3)))
    #expect(!admits(pace, "4.00", 4))
    #expect(!admits(pace, "5", 5))
    var writer = StateWriter()
    pace.store(in: &writer)
    let other = Pace(.milliseconds(100), clock: clock)
    var reader = StateReader(writer.bytes)
    try other.restore(from: &reader)
    var released: [[String]] = [[], []]
    for (index, pace) in [pace, other].enumerated() {
      pace.release = { released[index].append("\($0.sequence) \($0.payload.value)") }
    }
    move(to: .milliseconds(110))
    #expect(released == [["5 5"], ["5 5"]])
    #expect(!admits(pace, "6.0", 6))
    #expect(pace.takePending().map { "\($0.payload.value)" } == "6.0")
    #expect(pace.takePending() == nil)
  }

  @Test func `prefers what its signal keeps to what it has been told before`() {
    let pace = Pace(.milliseconds(100), clock: clock)
    var kept: Retention.Entry?
    var released: [UInt64] = []
    pace.release = { released.append($0.sequence) }
    pace.idle = { released.append(0) }
    pace.unheard = { kept.take() }
    #expect(pace.admits(entry(1)))
    kept = entry(2)
    #expect(pace.keepPending()?.sequence == 2)
    move(to: .milliseconds(120))
    #expect(released == [2])
    #expect(!pace.admits(entry(3)))
    kept = entry(4)
    move(to: .milliseconds(240))
    #expect(released == [2, 4])
    move(to: .milliseconds(360))
    #expect(released == [2, 4, 0])
    #expect(pace.admits(entry(5)))
  }

  private func admits(_ pace: Pace, _ text: String, _ number: UInt64) -> Bool {
    pace.admits(Array(text.utf8).span, sequence: number, at: 0)
  }

  private func entry(_ number: UInt64) -> Retention.Entry {
    Retention.Entry(sequence: number, payload: .value(.null), time: 0)
  }
}

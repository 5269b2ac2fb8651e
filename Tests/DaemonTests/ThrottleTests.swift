import GraphEngine
import JSON
import Linux
import Signals
import Testing

@testable import Daemon

@Suite struct `The pace of a subscription` {
  private let clock = IterationClock(now: MonotonicInstant(nanoseconds: 0))

  private func move(to time: Duration) {
    clock.move(to: MonotonicInstant(nanoseconds: 0) + time)
    clock.runDueTimers()
  }

  @Test func `keeps to its time, although every turn comes a little after its timer`() {
    let throttle = Throttle(.milliseconds(100), clock: clock)
    var released: [UInt64] = []
    throttle.release = { released.append($0.sequence) }
    move(to: .milliseconds(3))
    #expect(throttle.admits(entry(0)))
    // It is late once, with the intervals of others, and then punctual every 100 ms.
    for number in 1...20 {
      #expect(!throttle.admits(entry(UInt64(number))))
      move(to: .milliseconds(110 + (number - 1) * 100) + .microseconds(300))
    }
    #expect(released == Array(1...20))
  }

  @Test func `lets a whole span pass after one whose end was long past`() {
    let throttle = Throttle(.milliseconds(100), clock: clock)
    var released: [UInt64] = []
    throttle.release = { released.append($0.sequence) }
    #expect(throttle.admits(entry(0)))
    #expect(!throttle.admits(entry(1)))
    move(to: .milliseconds(1000))
    #expect(released == [1])
    #expect(!throttle.admits(entry(2)))
    move(to: .milliseconds(1099))
    #expect(released == [1])
    move(to: .milliseconds(1100))
    #expect(released == [1, 2])
  }

  @Test func `keeps the newest of those that wait, as a graph made it or as its sender wrote it, also elsewhere`()
    throws
  {
    let throttle = Throttle(.milliseconds(100), clock: clock)
    #expect(admits(throttle, "1.0", 1))
    #expect(!admits(throttle, "22222", 2))
    #expect(!throttle.admits(entry(3)))
    #expect(!admits(throttle, "4.00", 4))
    #expect(!admits(throttle, "5", 5))
    var writer = StateEncoder()
    throttle.encode(to: &writer)
    let other = Throttle(.milliseconds(100), clock: clock)
    var reader = StateDecoder(writer.bytes)
    try other.restore(from: &reader)
    var released: [[String]] = [[], []]
    for (index, throttle) in [throttle, other].enumerated() {
      throttle.release = { released[index].append("\($0.sequence) \($0.payload.value)") }
    }
    move(to: .milliseconds(110))
    #expect(released == [["5 5"], ["5 5"]])
    #expect(!admits(throttle, "6.0", 6))
    #expect(throttle.takePending().map { "\($0.payload.value)" } == "6.0")
    #expect(throttle.takePending() == nil)
  }

  @Test func `prefers what its signal keeps to what it has received before`() {
    let throttle = Throttle(.milliseconds(100), clock: clock)
    var kept: Retention.Entry?
    var released: [UInt64] = []
    throttle.release = { released.append($0.sequence) }
    throttle.idle = { released.append(0) }
    throttle.bypassed = { kept.take() }
    #expect(throttle.admits(entry(1)))
    kept = entry(2)
    #expect(throttle.keepPending()?.sequence == 2)
    move(to: .milliseconds(120))
    #expect(released == [2])
    #expect(!throttle.admits(entry(3)))
    kept = entry(4)
    move(to: .milliseconds(240))
    #expect(released == [2, 4])
    move(to: .milliseconds(360))
    #expect(released == [2, 4, 0])
    #expect(throttle.admits(entry(5)))
  }

  private func admits(_ throttle: Throttle, _ text: String, _ number: UInt64) -> Bool {
    throttle.admits(Array(text.utf8).span, sequence: number, at: 0)
  }

  private func entry(_ number: UInt64) -> Retention.Entry {
    Retention.Entry(sequence: number, payload: .value(.null), time: 0)
  }
}

import Foundation
import Glibc
import Linux
import Testing

@Suite struct `The event loop` {
  @Test func `a signal is handled in a turn`() throws {
    let loop = try EventLoop()
    var signals: [Int32] = []
    let sources = try [SIGHUP, SIGUSR1].map { number in try loop.addSignal(number) { signals.append(number) } }
    pthread_kill(pthread_self(), SIGUSR1)
    try loop.runIteration()
    #expect(signals == [SIGUSR1])
    #expect(sources.count == 2)
  }

  @Test func `timers fire in the order of their instants and never early`() throws {
    let loop = try EventLoop()
    var fired: [(String, MonotonicInstant)] = []
    let late = try loop.addTimer { fired.append(("late", .now())) }
    let soon = try loop.addTimer { fired.append(("soon", .now())) }
    let start = MonotonicInstant.now()
    try late.set(start + .milliseconds(4))
    try soon.set(start + .milliseconds(2))
    while fired.count < 2 { try loop.runIteration() }
    #expect(fired.map(\.0) == ["soon", "late"])
    #expect(fired[0].1 - start >= .milliseconds(2))
    #expect(fired[1].1 - start >= .milliseconds(4))
  }

  @Test func `a timer fires once, can be set again and switched off`() throws {
    let loop = try EventLoop()
    var count = 0
    let timer = try loop.addTimer { count += 1 }
    try timer.set(.now())
    try loop.runIteration(timeout: .seconds(5))
    try loop.runIteration(timeout: .zero)
    #expect(count == 1)
    try timer.set(.now())
    try loop.runIteration(timeout: .seconds(5))
    #expect(count == 2)
    try timer.set(.now())
    try timer.set(nil)
    try loop.runIteration(timeout: .zero)
    #expect(count == 2)
  }

  @Test func `what is posted runs in the coming iteration, before its end is reported`() throws {
    let loop = try EventLoop()
    var order: [String] = []
    loop.iterationEnded = { order.append("end") }
    loop.post {
      order.append("first")
      loop.post { order.append("second") }
    }
    try loop.runIteration()
    try loop.runIteration()
    #expect(order == ["first", "end", "second", "end"])
  }

  @Test func `stop ends the run with its status and a fault with its error`() throws {
    let loop = try EventLoop()
    loop.post { loop.stop(status: 3) }
    #expect(try loop.run() == 3)
    let failing = try EventLoop()
    failing.post { failing.fail(Errno(EMFILE, call: "epoll_create1")) }
    #expect(throws: Errno(EMFILE, call: "epoll_create1")) { try failing.run() }
  }

  @Test func `a source is silent as soon as it is released, even by its own handler`() throws {
    let loop = try EventLoop()
    let (first, second) = try UnixSocket.pair().take()
    let reader = OwnedDescriptor(owning: first)
    let writer = OwnedDescriptor(owning: second)
    try writer.transfer.writeAll("x")
    var count = 0
    var source: EventSource?
    source = try loop.addInput(reader.number) {
      count += 1
      source = nil
    }
    try loop.runIteration()
    try loop.runIteration(timeout: .zero)
    #expect(count == 1)
    #expect(source == nil)
  }

  /// A test cannot set the machine's clock; the timers set in the kernel are visible in /proc.
  @Test func `the watch over the clock is a timer that is given up when that is set`() throws {
    let loop = try EventLoop()
    let watch = try loop.addClockWatch {}
    try loop.runIteration(timeout: .zero)
    #expect(!watch.takeChange())
    let timers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").compactMap { name in
      try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)
    }
    #expect(timers.contains { $0.contains("clockid: 0") && $0.contains("settime flags: 03") })
  }
}

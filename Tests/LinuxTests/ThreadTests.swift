import Glibc
import Linux
import TestSupport
import Testing

@Suite struct Threads {
  @Test func `a thread has its name, runs no signal handlers, and is waited for`() throws {
    // A signal that this thread receives and nothing sends.
    var (window, mask, previous) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&window)
    sigaddset(&window, SIGWINCH)
    pthread_sigmask(SIG_UNBLOCK, &window, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let found = Monitor<(name: String, blocked: Bool)?>(nil)
    let thread = try Thread("fifteen-letters") {
      let name = (try? RegularFile.read("/proc/thread-self/comm", limit: 100)) ?? []
      var mask = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &mask)
      found.withLock { $0 = (String(decoding: name, as: UTF8.self), sigismember(&mask, SIGWINCH) == 1) }
    }
    thread.join()
    #expect(found.withLock { $0?.name } == "fifteen-letters\n")
    #expect(found.withLock { $0?.blocked } == true)
    pthread_sigmask(SIG_SETMASK, nil, &mask)
    #expect(sigismember(&mask, SIGWINCH) == 0)
  }

  @Test func `a thread that its owner releases keeps running`() throws {
    let (go, done) = (Monitor(false), Monitor(false))
    do {
      _ = try Thread("free") {
        _ = go.wait(until: nil) { $0 ? true : nil }
        done.withLock { $0 = true }
        done.ring()
      }
    }
    go.withLock { $0 = true }
    go.ring()
    #expect(done.wait(until: .now() + .seconds(600)) { $0 ? true : nil } == true)
  }

  @Test func `a thread keeps what it works with no longer than it runs`() throws {
    final class Thing: Sendable {}
    weak var kept: Thing?
    do {
      let thing = Thing()
      kept = thing
      try Thread("short") { withExtendedLifetime(thing) {} }.join()
    }
    #expect(kept == nil)
  }

  @Test func `one at a time has what a monitor keeps`() throws {
    let sum = Monitor(0)
    let first = try Thread("first") { for _ in 0..<20_000 { sum.withLock { $0 += 1 } } }
    let second = try Thread("second") { for _ in 0..<20_000 { sum.withLock { $0 += 1 } } }
    first.join()
    second.join()
    #expect(sum.withLock { $0 } == 40_000)
  }

  @Test func `a wait ends at its deadline, and not before`() {
    let monitor = Monitor(0)
    let start = MonotonicInstant.now()
    #expect(monitor.wait(until: start + .milliseconds(30)) { $0 > 0 ? $0 : nil } == nil)
    #expect(MonotonicInstant.now() - start >= .milliseconds(30))
    // A value that is available at once is found whatever the time is.
    #expect(monitor.wait(until: start) { $0 == 0 ? "there" : nil } == "there")
  }
}

import Glibc
import Linux
import Testing

/// A descriptor that is always readable, and records each call.
private final class Served: PollTarget {
  let descriptor: OwnedDescriptor
  private let peer: OwnedDescriptor
  let note: (Readiness) -> Void

  init(note: @escaping (Readiness) -> Void) throws {
    let (first, second) = try UnixSocket.pair().take()
    descriptor = OwnedDescriptor(owning: first)
    peer = OwnedDescriptor(owning: second)
    self.note = note
    try peer.transfer.writeAll("x")
  }

  func ready(_ readiness: Readiness) { note(readiness) }

  func shutDownPeer() throws { try UnixSocket.shutDownWriting(peer) }

  func closePeer() { shutdown(peer.number, Int32(SHUT_RDWR)) }
}

@Suite struct `The inner epoll set` {
  @Test(arguments: [1, 3, 7, 10]) func `every ready descriptor is served before any is served twice`(batch: Int) throws
  {
    let poller = try Poller(batchSize: batch)
    var order: [Int] = []
    let all = try (0..<10).map { number in try Served { _ in order.append(number) } }
    for served in all { _ = try poller.add(served.descriptor.number, served, for: .readable) }
    while order.count < 30 { try poller.serve() }
    for round in 0..<3 { #expect(Set(order[(round * 10)..<(round * 10 + 10)]).count == 10) }
  }

  @Test func `what is removed while a batch is served is not called any more`() throws {
    let poller = try Poller()
    var calls = 0
    var keys: [(Poller.Key, Int32)] = []
    let all = try (0..<4).map { _ in
      try Served { _ in
        calls += 1
        for (key, number) in keys { try? poller.remove(key, number) }
        keys = []
      }
    }
    keys = try all.map { (try poller.add($0.descriptor.number, $0, for: .readable), $0.descriptor.number) }
    #expect(try poller.serve() == 4)
    #expect(calls == 1)
    #expect(try poller.serve() == 0)
  }

  @Test func `a slot that is used again does not get its predecessor's events`() throws {
    let poller = try Poller()
    var calls: [String] = []
    var late: Served?
    var keys: [(Poller.Key, Int32)] = []
    let all = try ["a", "b"].map { name in
      try Served { _ in
        calls.append(name)
        for (key, number) in keys { try? poller.remove(key, number) }
        if keys.isEmpty { return }
        keys = []
        late = try? Served { _ in calls.append("late") }
        if let late { _ = try? poller.add(late.descriptor.number, late, for: .readable) }
      }
    }
    keys = try all.map { (try poller.add($0.descriptor.number, $0, for: .readable), $0.descriptor.number) }
    try poller.serve()
    #expect(calls == ["a"])
    try poller.serve()
    #expect(calls == ["a", "late"])
  }

  @Test func `a loop is woken by it and serves one batch a turn`() throws {
    let loop = try EventLoop()
    let poller = try Poller(batchSize: 2)
    var served = 0
    let source = try poller.attach(to: loop)
    let all = try (0..<5).map { _ in try Served { _ in served += 1 } }
    for target in all { _ = try poller.add(target.descriptor.number, target, for: .readable) }
    try loop.runIteration()
    #expect(served == 2)
    try loop.runIteration()
    #expect(served == 4)
    _ = source
  }

  @Test func `a loop that waits on it has its timers, signals and posted work all the same`() throws {
    let loop = try EventLoop()
    let poller = try Poller()
    let attachment = try poller.attach(to: loop)
    var events: [String] = []
    let served = try Served { _ in events.append("client") }
    _ = try poller.add(served.descriptor.number, served, for: [.readable, .once])
    let signal = try loop.addSignal(SIGUSR2) { events.append("signal") }
    let late = try loop.addTimer { events.append("late") }
    try late.set(.now() + .seconds(600))
    try loop.runIteration(timeout: .seconds(5))
    #expect(events == ["client"])
    // A timer that is set while sd-event is armed must be noticed.
    let soon = try loop.addTimer { events.append("soon") }
    try soon.set(.now() + .milliseconds(1))
    while events.count < 2 { try loop.runIteration(timeout: .seconds(5)) }
    pthread_kill(pthread_self(), SIGUSR2)
    while events.count < 3 { try loop.runIteration(timeout: .seconds(5)) }
    loop.post { events.append("posted") }
    try loop.runIteration()
    #expect(events == ["client", "soon", "signal", "posted"])
    withExtendedLifetime((attachment, signal, late, soon)) {}
  }

  @Test func `a peer that shuts down its writing side is distinguished from one that has gone`() throws {
    let poller = try Poller()
    var seen: [Readiness] = []
    let served = try Served { seen.append($0) }
    let key = try poller.add(served.descriptor.number, served, for: [.readable, .peerShutDown])
    try served.shutDownPeer()
    try poller.serve()
    #expect(seen == [[.readable, .peerShutDown]])
    // Even without interests the end of both directions is reported.
    try poller.change(key, served.descriptor.number, for: [])
    try poller.serve()
    #expect(seen.count == 1)
    served.closePeer()
    try poller.serve()
    #expect(seen.last?.contains(.hungUp) == true)
  }
}

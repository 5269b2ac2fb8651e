import Linux
import Testing

@testable import Daemon
@testable import World

/// Work that never ends, a millisecond per slice.
private final class EndlessWorker: CooperativeTask {
  var isWaiting = false
  let source: String?
  private(set) var pieces = 0

  init(source: String? = nil) { self.source = source }

  func runSlice() -> Bool {
    pieces += 1
    let end = MonotonicInstant.now() + .milliseconds(1)
    while MonotonicInstant.now() < end {}
    return true
  }
}

@Suite struct `Work without end` {
  @Test func `leaves the loop after a moment, and each task has its slice`() throws {
    let loop = try EventLoop()
    let work = CooperativeTasks(loop: loop)
    let workers = (0..<5).map { _ in EndlessWorker() }
    for worker in workers + workers { work.add(worker) }
    for iteration in 1...20 {
      try loop.runIteration(timeout: .zero)
      let pieces = workers.map(\.pieces)
      #expect(pieces.reduce(0, +) <= iteration * 2)
      #expect((pieces.max() ?? 0) - (pieces.min() ?? 0) <= 1)
    }
  }

  @Test func `is paused where it reads more than is wanted, and resumes`() throws {
    let loop = try EventLoop()
    let work = CooperativeTasks(loop: loop)
    var paused: Set = ["g.paused", "g.also"]
    work.isPaused = { paused.contains($0) }
    let (reader, also) = (EndlessWorker(source: "g.paused"), EndlessWorker(source: "g.also"))
    let (free, other) = (EndlessWorker(source: "g.free"), EndlessWorker())
    for worker in [reader, also, free, other, reader] { work.add(worker) }
    for _ in 1...6 { try loop.runIteration(timeout: .zero) }
    work.proceed()
    try loop.runIteration(timeout: .zero)
    #expect(reader.pieces == 0 && also.pieces == 0 && free.pieces > 3 && other.pieces > 3)
    // Each resumes by itself.
    paused = ["g.also"]
    work.proceed()
    for _ in 1...6 { try loop.runIteration(timeout: .zero) }
    #expect(reader.pieces > 0 && also.pieces == 0)
    paused = []
    work.proceed()
    for _ in 1...6 { try loop.runIteration(timeout: .zero) }
    #expect(also.pieces > 0)
  }
}

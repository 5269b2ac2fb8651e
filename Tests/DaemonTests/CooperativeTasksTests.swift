import Linux
import Testing

@testable import Daemon
@testable import World

/// Work that never ends, a millisecond per slice.
private final class EndlessWorker: CooperativeTask {
  var isWaiting = false
  let isReader: Bool
  private(set) var pieces = 0

  init(isReader: Bool = false) { self.isReader = isReader }

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
    var isPaused = true
    work.isPaused = { isPaused }
    let (reader, other) = (EndlessWorker(isReader: true), EndlessWorker())
    for worker in [reader, other, reader] { work.add(worker) }
    for _ in 1...3 { try loop.runIteration(timeout: .zero) }
    work.proceed()
    try loop.runIteration(timeout: .zero)
    #expect(reader.pieces == 0 && other.pieces > 3)
    isPaused = false
    work.proceed()
    for _ in 1...3 { try loop.runIteration(timeout: .zero) }
    #expect(reader.pieces > 0)
  }
}

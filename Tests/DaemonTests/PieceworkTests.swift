import Linux
import Testing

@testable import Daemon

/// Work that never ends, a millisecond a piece.
private final class EndlessWorker: Pieceworker {
  var isWaiting = false
  private(set) var pieces = 0

  func doPiece() -> Bool {
    pieces += 1
    let end = MonotonicInstant.now() + .milliseconds(1)
    while MonotonicInstant.now() < end {}
    return true
  }
}

@Suite struct `Work without end` {
  @Test func `leaves the loop after a moment, and each who works has its turn`() throws {
    let loop = try EventLoop()
    let work = Piecework(loop: loop)
    let workers = (0..<5).map { _ in EndlessWorker() }
    for worker in workers + workers { work.add(worker) }
    for turn in 1...20 {
      try loop.turn(timeout: .zero)
      let pieces = workers.map(\.pieces)
      #expect(pieces.reduce(0, +) <= turn * 2)
      #expect((pieces.max() ?? 0) - (pieces.min() ?? 0) <= 1)
    }
  }
}

import Base
import Linux

/// Work that may never end, such as the output of a program: a slice of it is done in each iteration, and clients are
/// served in between.
package final class CooperativeTasks {
  /// The longest time to work before clients are served.
  private static let share = Duration.milliseconds(2)
  /// The size of a slice in bytes.
  ///
  /// Each byte may be a line and a turn of the graphs.
  static let piece = 4096

  private let loop: EventLoop
  /// Called before any work in an iteration of the loop.
  package var begin: () -> Void = {}
  /// Indicates that the readers of a signal are to pause; `proceed` asks again.
  package var isPaused: (_ signal: String) -> Bool = { _ in false }
  /// The scheduled workers, in order.
  private var waiting = FirstInFirstOut<any CooperativeTask>()
  /// The paused readers.
  private var held: [any CooperativeTask] = []
  private var isPosted = false
  private var isClosed = false

  init(loop: EventLoop) { self.loop = loop }

  /// Schedules a worker, unless it is scheduled already.
  package func add(_ worker: any CooperativeTask) {
    guard !worker.isWaiting, !isClosed else { return }
    worker.isWaiting = true
    waiting.append(worker)
    post()
  }

  /// Drops all work and accepts no more.
  func close() {
    isClosed = true
    waiting = FirstInFirstOut()
    held = []
    begin = {}
    isPaused = { _ in false }
  }

  /// Resumes the readers that need not pause any more.
  package func proceed() {
    if held.isEmpty { return }
    let readers = held
    held = []
    for reader in readers { if pauses(reader) { held.append(reader) } else { waiting.append(reader) } }
    if held.count < readers.count { post() }
  }

  private func pauses(_ worker: any CooperativeTask) -> Bool { worker.source.map(isPaused) ?? false }

  private func post() {
    if isPosted { return }
    isPosted = true
    // The loop retains posted work and may outlive this object.
    loop.post { [weak self] in self?.work() }
  }

  private func work() {
    isPosted = false
    if isClosed { return }
    begin()
    let end = MonotonicInstant.now() + Self.share
    while let worker = waiting.popFirst() {
      if pauses(worker) {
        held.append(worker)
        continue
      }
      worker.isWaiting = false
      if worker.runSlice() { add(worker) }
      if MonotonicInstant.now() >= end { break }
    }
    if !waiting.isEmpty { post() }
  }
}

/// A worker that works in slices.
package protocol CooperativeTask: AnyObject {
  /// True while it is scheduled; set by `CooperativeTasks` alone.
  var isWaiting: Bool { get set }
  /// The signal that it reads values for, if its input can wait where it is: in a file, the system journal, a program's
  /// pipe.
  var source: String? { get }

  /// Does a slice of work; returns `true` if there may be more to do at once.
  func runSlice() -> Bool
}

extension CooperativeTask {
  package var source: String? { nil }
}

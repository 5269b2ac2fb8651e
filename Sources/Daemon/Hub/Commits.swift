import Journal
import Linux
import Persistence
import ReactiveCore
import SignalGraph

/// The commits of durable graphs, as the loop sees them: it is told when one is on disk, and lets those go on who wait.
final class Commits {
  let graphs: DurableGraphs
  private let doorbell: Doorbell
  private var handler: PollHandler?
  private var waiting = WaitingSenders()
  private let turn: Turn
  /// When writing is tried again after the disk was full.
  private static let pause = Duration.seconds(1)
  private var isRetrying = false
  /// Whether the graphs run.
  private(set) var hasBegun = false

  /// - Parameter doorbell: What the writer rings.
  init(_ graphs: DurableGraphs, doorbell: Doorbell, poller: Poller, turn: Turn) throws(StorageError) {
    self.graphs = graphs
    self.doorbell = doorbell
    self.turn = turn
    graphs.onSource = { [turn] in turn.hasSender = $0 }
    do throws(Errno) {
      handler = try PollHandler(poller, readable: doorbell.number) { [unowned self] in
        doorbell.hear()
        tellWritten()
      }
    } catch {
      throw StorageError(.failed, "\(error)")
    }
  }

  /// Has the graphs go on, in front of mirrors in the runtime of the others.
  ///
  /// - Parameter before: How they stood in the process that has handed over, if one has.
  func begin(
    _ main: GraphRuntime, at now: Instant, _ microseconds: Int64, handedOver before: HandedOverGraphs? = nil
  ) throws(StorageError) {
    try graphs.begin(main, at: now, microseconds, handedOver: before)
    hasBegun = true
  }

  /// Has a sender wait until more has been told.
  func wait(_ sender: any Sender) { waiting.append(sender) }

  /// Hands what has entered to the writer.
  func turnEnds() { graphs.turnEnds() }

  /// Waits until all that has entered is on disk, and was told.
  ///
  /// - Returns: Whether it was in time.
  func settle(within patience: Duration) -> Bool {
    let end = MonotonicInstant.now() + patience
    graphs.shortenJournal()
    while true {
      graphs.turnEnds()
      if graphs.isIdle { return true }
      let rest = end - MonotonicInstant.now()
      guard graphs.failure == nil, rest > .zero else { return false }
      do throws(Errno) { _ = try Transfer(doorbell.number).wait(for: .readable, timeout: rest) } catch { return false }
      doorbell.hear()
      tellWritten()
    }
  }

  private func tellWritten() {
    graphs.tellWritten()
    waiting.release()
    if graphs.failure?.kind == .full { retryLater() }
  }

  private func retryLater() {
    if isRetrying { return }
    isRetrying = true
    _ = turn.clock.schedule(after: Self.pause) { [weak self] in
      self?.isRetrying = false
      self?.graphs.retry()
    }
  }
}

extension Doorbell {
  /// The doorbell that the writer of a journal rings.
  static func forWriter() throws(StorageError) -> Doorbell {
    do throws(Errno) { return try Doorbell() } catch { throw StorageError(.failed, "\(error)") }
  }
}

import GraphEngine
import GraphModel
import Linux
import Persistence
import Signals
import StateLog

/// The commits of a home on the event loop: handles those that are on disk and resumes the senders that wait.
final class Commits: AnsweringHome {
  let graphs: DurableGraphs
  /// The folder of the state log, if it is in one.
  let folder: OpenedFolder?
  var home: Home { graphs.home }
  private let wakeup: WakeupPipe
  private var handler: PollHandler?
  private var waiting = WaitingSenders()
  private let iteration: LoopIteration
  /// The interval between retries while the disk is full.
  private static let pause = Duration.seconds(1)
  private var isRetrying = false
  /// The longest time that a client waits for the answer to an input that a full disk has not accepted.
  static let patience = Duration.seconds(5)
  /// The number of times the disk has become full.
  private var failures = 0

  /// - Parameters:
  ///   - folder: The path of the folder of the state log, if it is in one.
  ///   - wakeup: The wakeup that the writer signals.
  init(
    _ graphs: DurableGraphs, folder: String? = nil, wakeup: WakeupPipe, poller: Poller, iteration: LoopIteration
  ) throws(StorageError) {
    self.graphs = graphs
    self.folder = folder.map(OpenedFolder.init)
    self.wakeup = wakeup
    self.iteration = iteration
    graphs.onSource = { [iteration] in iteration.hasSender = $0 }
    do throws(Errno) {
      handler = try PollHandler(poller, readable: wakeup.number) { [unowned self] in
        wakeup.drain()
        releaseCommitted()
      }
    } catch {
      throw StorageError(.failed, "\(error)")
    }
  }

  /// Starts or resumes the graphs, with mirrors in the runtime of the ordinary graphs.
  ///
  /// - Parameters:
  ///   - before: Their state in the process that has handed over.
  ///   - isFollowed: True if the mirrors have reflected the log so far.
  func begin(
    _ main: GraphRuntime, at now: Instant, _ microseconds: Int64, handedOver before: HandedOverGraphs? = nil,
    isFollowed: Bool = false
  ) throws(StorageError) {
    try graphs.begin(
      main, at: now, microseconds, handedOver: before, limitingTurnsBy: TurnClock { SystemClock.monotonic.now },
      isFollowed: isFollowed)
  }

  /// Stops the graphs at once and ignores the writer from now on.
  func close() {
    handler = nil
    graphs.close()
  }

  /// Stops the graphs at once, since another node runs them, and resumes the senders that wait.
  func end() {
    close()
    for sender in waiting.take() { sender.proceed() }
  }

  /// Keeps a sender waiting until the next commit has been handled.
  func wait(_ sender: any Sender) { waiting.append(sender) }

  func answerAfterSends(_ answer: @escaping (StorageError?) -> Void) { graphs.answerAfterCommits(answer) }

  /// Submits the inputs of this iteration to the writer.
  func endIteration() { graphs.endIteration() }

  /// Waits until all submitted inputs are on disk and their effects are released.
  ///
  /// - Returns: `true` if that took no longer than `patience`.
  func settle(within patience: Duration) -> Bool {
    let end = MonotonicInstant.now() + patience
    graphs.shortenLog()
    while true {
      graphs.endIteration()
      if graphs.isIdle { return true }
      let rest = end - MonotonicInstant.now()
      guard graphs.failure == nil, rest > .zero else { return false }
      do throws(Errno) { _ = try Transfer(wakeup.number).wait(for: .readable, timeout: rest) } catch { return false }
      wakeup.drain()
      releaseCommitted()
    }
  }

  private func releaseCommitted() {
    let hadFailed = graphs.failure != nil
    graphs.releaseCommitted()
    for sender in waiting.take() { sender.proceed() }
    if graphs.failure?.kind == .full { retryLater() }
    if graphs.failure != nil, !hadFailed { endWaitLater() }
  }

  /// Answers clients that wait for the disk if it accepts nothing in time.
  private func endWaitLater() {
    failures += 1
    let number = failures
    _ = iteration.clock.schedule(after: Self.patience) { [weak self] in
      guard let self, graphs.failure != nil, number == failures else { return }
      graphs.endWait()
      for sender in waiting.take() { sender.proceed() }
    }
  }

  private func retryLater() {
    if isRetrying { return }
    isRetrying = true
    _ = iteration.clock.schedule(after: Self.pause) { [weak self] in
      self?.isRetrying = false
      self?.graphs.retry()
    }
  }
}

extension WakeupPipe {
  /// Creates the wakeup that the writer of a state log signals.
  static func forWriter() throws(StorageError) -> WakeupPipe {
    do throws(Errno) { return try WakeupPipe() } catch { throw StorageError(.failed, "\(error)") }
  }
}

import Dispatch
import Synchronization
import Testing

@testable import Signals

/// The events that precede the values of waiting senders.
@Suite(.endsIfItHangs) struct UrgencyTests {
  private struct Trouble: Error {}
  private typealias Numbers = Signal<Int, Trouble>

  /// Returns a pipe, or the run of a producer and its work's observer.
  private static func source(isRun: Bool) -> (Numbers, Numbers.Observer) {
    guard isRun else { return Numbers.pipe() }
    var made: (signal: Numbers?, input: Numbers.Observer?)
    SignalProducer<Int, Trouble> { (observer: Numbers.Observer, _: Lifetime) in made.input = observer }
      .startWithSignal { signal, _ in made.signal = signal }
    return (made.signal ?? .empty, made.input ?? .init())
  }

  @Test(arguments: [false, true], [false, true])
  func `a failure or an interruption comes before the values of senders that wait`(
    _ isRun: Bool, _ isFailure: Bool
  ) {
    let (signal, input) = Self.source(isRun: isRun)
    let isDelivering = DispatchSemaphore(value: 0)
    let log = Mutex<[Numbers.Event]>([])
    signal.observe { event in
      log.withLock { $0.append(event) }
      guard event.value == 0 else { return }
      for _ in 1..<3 { isDelivering.signal() }
      // The ending is queued now, unlike a value: its sender waits.
      let deadline = DispatchTime.now() + 10
      while !signal.node.domain.hasPendingWork, DispatchTime.now() < deadline {}
    }
    onThreads(3) { number in
      if number > 0 { isDelivering.wait() }
      switch (number, isFailure) {
      case (2, true): input.send(error: Trouble())
      case (2, false): input.sendInterrupted()
      default: input.send(value: number)
      }
    }
    #expect(log.withLock { $0.map(\.description) } == ["VALUE 0", isFailure ? "FAILED Trouble()" : "INTERRUPTED"])
  }
}

extension Domain {
  fileprivate var hasPendingWork: Bool { word.load(ordering: .relaxed) & Domain.pendingBit != 0 }
}

import Dispatch
import ReactiveCore
import Testing

/// The threads that run each part: a queue is identified by a key of its own, as in the samples by the printed
/// scheduler.
@Suite struct SchedulerSamples {
  private static let key = DispatchSpecificKey<String>()

  private let log = SampleLog()

  private func queue(_ name: String) -> QueueScheduler {
    let queue = DispatchQueue(label: name)
    queue.setSpecific(key: Self.key, value: name)
    return QueueScheduler(targeting: queue)
  }

  private static var here: String { DispatchQueue.getSpecific(key: key) ?? "caller" }

  @Test func `deliverOn sees its values on the scheduler`() {
    let seen = log.sync.observe(on: queue("background")).map { _ in Self.here }
    #expect(seen.toArray() == .success(["background", "background"]))
  }

  @Test func `subscribeOn does the work, and so delivers, on the scheduler`() {
    let source = SignalProducer<String, SampleError> { observer, _ in
      observer.send(value: "sent on \(Self.here)")
      observer.sendCompleted()
    }
    let seen = source.start(on: queue("background")).map { "\($0), seen on \(Self.here)" }
    #expect(seen.toArray() == .success(["sent on background, seen on background"]))
  }

  @Test func `deliverOnMainThread after deliverOn sees values on either in turn`() {
    DispatchQueue.main.setSpecific(key: Self.key, value: "main")
    let seen = log.sync.observe(on: queue("background"))
      .map { _ in Self.here }
      .observe(on: UIScheduler())
      .map { "\($0), then \(Self.here)" }
    #expect(seen.toArray() == .success(Array(repeating: "background, then main", count: 2)))
  }
}

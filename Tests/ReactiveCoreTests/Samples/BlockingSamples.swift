import Dispatch
import ReactiveCore
import Testing

/// The samples that block the calling thread.
@Suite struct BlockingSamples {
  private let log = SampleLog()

  @Test func `first of 0 and 1 is 0`() { #expect(log.sync.first() == .success(0)) }

  @Test func `firstOrDefault of 0 and 1 is 0, of an empty signal the default`() {
    #expect(log.sync.map(String.init).first(default: "default") == .success("0"))
    #expect(SignalProducer<String, SampleError>.empty.first(default: "default") == .success("default"))
  }

  @Test func `firstOrDefault with success and error returns both`() {
    #expect(log.sync.first(default: 7) == .success(0))
    #expect(SignalProducer<Int, SampleError>(error: .failed).first(default: 7) == .failure(.failed))
    #expect(SignalProducer<Int, SampleError>.empty.first() == nil)
  }

  @Test func `waitUntilCompleted succeeds without an error`() throws { try log.sync.wait().get() }

  @Test func `toArray waits two seconds and gives start and end`() {
    let log = log
    let clock = DispatchQueue(label: "clock")
    let array = log.async.on(started: { clock.async { log.scheduler.advance(by: .seconds(2)) } }).toArray()
    #expect(array == .success(["start", "end"]))
  }

  @Test func `toArray gives nothing before two seconds are over`() {
    log.subscribe(to: log.async.collect())
    log.scheduler.run()
    #expect(log.lines == [#"2.0 ["start", "end"]"#])
  }

  @Test func `sequence gives 0 and 1`() { #expect(Array(log.sync.sequence) == [.success(0), .success(1)]) }
}

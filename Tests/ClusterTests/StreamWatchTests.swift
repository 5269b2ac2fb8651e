import Signals
import Testing

@testable import Cluster

@Suite struct `The watch over a stream` {
  private var watch = StreamWatch()

  init() {
    watch.accept(created: "monday")
    watch.reach(7)
  }

  private func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

  @Test mutating func `finds nothing in a stream that has what is known, and more`() {
    for second in 0...100 {
      #expect(watch.take(.stream(created: "monday", last: 7 + UInt64(second)), known: 7, at: at(second)) == nil)
    }
    #expect(watch.pause == .seconds(3))
  }

  @Test mutating func `finds that a stream is gone once the servers have said so for some seconds`() {
    for second in 0..<5 { #expect(watch.take(.missing, known: 7, at: at(second)) == nil) }
    #expect(watch.pause == .seconds(1))
    #expect(watch.take(.missing, known: 7, at: at(5)) == .gone)
    #expect(watch.isGone)
    #expect(!watch.isBack(.missing) && watch.isOther(.missing))
    #expect(!watch.isBack(.stream(created: "monday", last: 6)))
    #expect(!watch.isBack(.stream(created: "tuesday", last: 7)) && watch.isOther(.stream(created: "tuesday", last: 7)))
    #expect(watch.isBack(.stream(created: "monday", last: 7)) && !watch.isOther(.stream(created: "monday", last: 7)))
  }

  @Test mutating func `takes a stream that is there again, or that no server was asked for, as no loss`() {
    for second in 0..<5 { #expect(watch.take(.missing, known: 7, at: at(second)) == nil) }
    #expect(watch.take(.stream(created: "monday", last: 7), known: 7, at: at(5)) == nil)
    #expect(watch.take(.missing, known: 7, at: at(6)) == nil)
    // A process that was stopped for long has not looked meanwhile.
    #expect(watch.take(.missing, known: 7, at: at(1_000)) == nil)
  }

  @Test mutating func `finds at once that another stream stands in the place of the one it knows`() {
    #expect(
      watch.take(.stream(created: "tuesday", last: 70), known: 7, at: at(0)) == .replaced(created: "tuesday"))
    watch.accept(created: "tuesday")
    #expect(watch.take(.stream(created: "tuesday", last: 70), known: 7, at: at(1)) == nil)
  }

  @Test mutating func `finds that the log ends before what is known, once it was searched for long enough`() {
    for second in 0..<60 {
      #expect(watch.take(.stream(created: "monday", last: 6), known: 7, at: at(second)) == nil)
    }
    #expect(watch.take(.stream(created: "monday", last: 6), known: 7, at: at(60)) == .short(last: 6))
    watch.beginAnew()
    #expect(watch.known == 0 && watch.created == "monday")
    #expect(watch.take(.stream(created: "monday", last: 6), known: 0, at: at(61)) == nil)
  }

  @Test mutating func `takes a replica that lagged behind as no loss`() {
    for second in 0..<200 {
      let last: UInt64 = second % 50 == 0 ? 7 : 6
      #expect(watch.take(.stream(created: "monday", last: last), known: 7, at: at(second)) == nil)
    }
  }
}

import Signals
import Testing

@testable import Cluster

@Suite struct RecordAppenders {
  private let bytes: [UInt8] = [1, 2, 3]
  private var append: StreamRequest { .append(.commit, bytes, after: 7) }

  private func started() -> RecordAppender {
    var appender = RecordAppender()
    #expect(requests(appender.append(bytes, .commit, after: 7, at: .zero)) == [append])
    return appender
  }

  private func requests(_ actions: [StreamAction]) -> [StreamRequest] {
    actions.compactMap { if case .request(_, let request) = $0 { request } else { nil } }
  }

  private func at(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }

  @Test func `the same bytes are repeated, at longer and longer intervals, until their fate is known`() {
    var appender = started()
    var copies: [Int] = []
    for millisecond in 0...7_000 {
      for request in requests(appender.timePassed(at: at(millisecond))) {
        #expect(request == append)
        copies.append(millisecond)
      }
    }
    #expect(copies == [1_050, 2_150, 3_350, 4_750, 6_250])
    let (actions, fate) = appender.replied(to: 1, .stored(8), at: at(7_000))
    #expect(actions == [])
    #expect(fate == .stored(StoredMessage(sequence: 8, bytes: bytes)))
    #expect(appender.isIdle)
  }

  @Test func `an unavailable stream is asked again soon`() {
    var appender = started()
    _ = appender.replied(to: 1, .unavailable, at: at(3))
    #expect(appender.deadline == at(53))
    #expect(requests(appender.timePassed(at: at(53))) == [append])
  }

  @Test(arguments: [nil, 8])
  func `a refusal leads to a look at the place`(end: UInt64?) {
    var own = started()
    #expect(requests(own.replied(to: 1, .refused(last: end), at: at(1)).0) == [.message(at: 8)])
    var other = own
    let stored = StoredMessage(sequence: 8, bytes: bytes)
    #expect(own.replied(to: 1, .message(stored), at: at(2)).1 == .stored(stored))
    let foreign = StoredMessage(sequence: 8, bytes: [9])
    #expect(other.replied(to: 1, .message(foreign), at: at(2)).1 == .superseded(by: foreign, end: end))
    #expect(other.isIdle)
  }

  @Test func `a refused record that is not found is repeated`() {
    var appender = started()
    _ = appender.replied(to: 1, .refused(last: 7), at: at(1))
    #expect(requests(appender.replied(to: 1, .missing, at: at(2)).0) == [.info])
    #expect(appender.replied(to: 1, .info(first: 1, last: 7), at: at(3)).1 == nil)
    #expect(requests(appender.timePassed(at: at(53))) == [append])
  }

  @Test func `a place behind the end of the log is reported, and the record remains under way`() {
    var appender = started()
    _ = appender.replied(to: 1, .refused(last: 4), at: at(1))
    _ = appender.replied(to: 1, .missing, at: at(2))
    #expect(appender.replied(to: 1, .info(first: 1, last: 4), at: at(3)).1 == .beyondEnd(4))
    #expect(!appender.isIdle)
  }

  @Test func `the fate of a record whose place was purged is not known`() {
    var appender = started()
    _ = appender.replied(to: 1, .refused(last: 30), at: at(1))
    _ = appender.replied(to: 1, .missing, at: at(2))
    #expect(appender.replied(to: 1, .info(first: 20, last: 30), at: at(3)).1 == .superseded(by: nil, end: 30))
  }

  @Test func `a late acknowledgement of an earlier copy settles the record, whatever is asked meanwhile`() {
    var appender = started()
    _ = appender.replied(to: 1, .refused(last: nil), at: at(1))
    #expect(appender.replied(to: 1, .stored(8), at: at(2)).1 == .stored(StoredMessage(sequence: 8, bytes: bytes)))
  }

  @Test func `replies to an earlier record mean nothing`() {
    var appender = started()
    _ = appender.replied(to: 1, .stored(8), at: at(1))
    _ = appender.append([4], .commit, after: 8, at: at(1))
    #expect(appender.replied(to: 1, .refused(last: 8), at: at(2)) == ([], nil))
    #expect(!appender.isIdle)
  }
}

import ReactiveCore
import Testing

@testable import Cluster

@Suite struct SendLinks {
  private func at(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }

  private func numbers(_ outputs: [SendLink.Output]) -> [UInt64] {
    outputs.compactMap { if case .transmit(let send, _) = $0 { send.number } else { nil } }
  }

  private func kept(_ sequence: UInt64) -> SendAnswer { .kept(value: 1, isDuplicate: false, sequence: sequence) }

  /// A link with sends, to an owner that has answered the first one.
  private func link(_ count: Int) -> SendLink {
    var link = SendLink(boot: "b")
    _ = link.ownerChanged(term: 5, at: .zero)
    for _ in 0..<count { _ = link.send([1], message: nil, at: .zero) }
    #expect(numbers(link.answered(1, kept(6), term: 5, at: .zero)) == Array(2..<UInt64(count) + 1))
    return link
  }

  @Test func `sends wait until an owner is known, and one of them until it has answered`() {
    var link = SendLink(boot: "b")
    #expect(link.send([1], message: "order-1", at: .zero).outputs == [])
    _ = link.send([2], message: nil, at: .zero)
    let first = ForwardedSend(number: 1, first: 1, message: "order-1", request: [1])
    #expect(link.ownerChanged(term: 5, at: .zero) == [.transmit(first, term: 5)])
    let second = ForwardedSend(number: 2, first: 2, message: "b-2", request: [2])
    #expect(
      link.answered(1, kept(6), term: 5, at: .zero) == [
        .ended(number: 1, .kept(value: 1, isDuplicate: false)), .transmit(second, term: 5),
      ])
    #expect(numbers(link.send([3], message: nil, at: .zero).outputs) == [3])
  }

  @Test func `what is not answered in a second is sent again, the oldest first`() {
    var link = link(4)
    _ = link.answered(3, kept(8), term: 5, at: at(10))
    #expect(numbers(link.timePassed(at: at(1_009))) == [])
    #expect(numbers(link.timePassed(at: at(1_010))) == [2])
    #expect(numbers(link.answered(2, kept(7), term: 5, at: at(1_011))) == [4])
  }

  @Test func `a new owner is sent everything that is not answered`() {
    var link = link(3)
    #expect(link.ownerChanged(term: 5, at: at(1)) == [])
    #expect(numbers(link.ownerChanged(term: 9, at: at(1))) == [2])
    #expect(link.answered(2, kept(7), term: 5, at: at(2)) == [])
    #expect(numbers(link.answered(2, kept(11), term: 9, at: at(2))) == [3])
  }

  @Test func `an owner that is not ready is asked again after a pause`() {
    var link = link(2)
    #expect(link.answered(2, .again, term: 5, at: at(1)) == [])
    #expect(numbers(link.timePassed(at: at(50))) == [])
    #expect(numbers(link.timePassed(at: at(51))) == [2])
  }

  @Test func `sends end in their order, and behind the events of their commits`() {
    var link = link(3)
    _ = link.told(6, at: .zero)
    #expect(link.answered(3, .refused(code: "type", message: "no"), term: 5, at: at(1)) == [])
    #expect(link.answered(2, kept(8), term: 5, at: at(1)) == [])
    #expect(link.told(7, at: at(2)) == [])
    #expect(
      link.told(8, at: at(2)) == [
        .ended(number: 2, .kept(value: 1, isDuplicate: false)),
        .ended(number: 3, .refused(code: "type", message: "no")),
      ])
  }

  @Test func `a send without an answer ends after ten seconds, and it is not known whether it is kept`() {
    var link = link(2)
    #expect(!link.timePassed(at: at(9_999)).contains(.ended(number: 2, .unknown)))
    #expect(link.timePassed(at: at(10_000)).contains(.ended(number: 2, .unknown)))
    #expect(link.deadline == .distantFuture)
  }

  @Test func `a link is behind with as many sends or bytes as it may have`() {
    var many = SendLink(boot: "b")
    for _ in 1..<SendLink.mostSends { _ = many.send([], message: nil, at: .zero) }
    #expect(!many.isBehind)
    _ = many.send([], message: nil, at: .zero)
    #expect(many.isBehind)
    var large = SendLink(boot: "b")
    _ = large.send(Array(repeating: 0, count: SendLink.mostBytes), message: nil, at: .zero)
    #expect(large.isBehind)
    #expect(large.timePassed(at: at(10_000)).count == 1)
    #expect(!large.isBehind)
  }

  // MARK: The owner's side

  private func send(_ number: UInt64, first: UInt64) -> ForwardedSend {
    ForwardedSend(number: number, first: first, message: "m", request: [])
  }

  @Test func `an owner takes the oldest send first, and then each next one`() {
    var receiver = LinkReceiver()
    #expect(receiver.arrived(send(8, first: 7)) == .answer(.again))
    #expect(receiver.arrived(send(7, first: 7)) == .take)
    #expect(receiver.arrived(send(9, first: 7)) == .answer(.again))
    #expect(receiver.arrived(send(8, first: 7)) == .take)
  }

  @Test func `a repeated send is answered as the first time, until the link has its answer`() {
    var receiver = LinkReceiver()
    #expect(receiver.arrived(send(1, first: 1)) == .take)
    #expect(receiver.arrived(send(1, first: 1)) == .wait)
    receiver.answered(1, kept(3))
    #expect(receiver.arrived(send(1, first: 1)) == .answer(kept(3)))
    #expect(receiver.arrived(send(2, first: 2)) == .take)
    #expect(receiver.arrived(send(1, first: 1)) == .wait)
  }

  @Test func `sends that the link has given up are not waited for`() {
    var receiver = LinkReceiver()
    #expect(receiver.arrived(send(1, first: 1)) == .take)
    #expect(receiver.arrived(send(5, first: 5)) == .take)
    #expect(receiver.arrived(send(4, first: 3)) == .wait)
  }

  @Test func `sends and answers are read as they were written`() {
    let sends = [send(1, first: 1), ForwardedSend(number: 900, first: 7, message: "ä", request: [1, 2])]
    for send in sends {
      #expect(ForwardedSend(send.bytes) == send)
      #expect(ForwardedSend(send.bytes + [0]) == nil)
      #expect(ForwardedSend(send.bytes.dropLast()) == nil)
    }
    let answers: [SendAnswer] = [
      kept(7), .kept(value: nil, isDuplicate: true, sequence: 1), .refused(code: "a", message: "b"), .again, .moved,
    ]
    for answer in answers {
      #expect(SendAnswer(answer.bytes) == answer)
      #expect(SendAnswer(answer.bytes.dropLast()) == nil)
    }
    #expect(SendAnswer([9]) == nil)
  }
}

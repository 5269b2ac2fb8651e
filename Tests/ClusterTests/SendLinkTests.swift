import Signals
import Testing

@testable import Cluster

@Suite struct SendLinks {
  private func at(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }

  private func numbers(_ outputs: [SendLink.Output]) -> [UInt64] {
    batches(outputs).flatMap { $0 }
  }

  /// The numbers of the sends that are transmitted, by request.
  private func batches(_ outputs: [SendLink.Output]) -> [[UInt64]] {
    outputs.compactMap { if case .transmit(let sends, _) = $0 { sends.map(\.number) } else { nil } }
  }

  private func answer(_ number: UInt64, _ answer: SendAnswer, isList: Bool = true) -> AnswerList {
    AnswerList([AnswerList.Member(number, answer)], isList: isList)
  }

  private func kept(_ sequence: UInt64) -> SendAnswer { .kept(value: 1, isDuplicate: false, sequence: sequence) }

  /// A link with sends, to an owner that has answered the first one.
  private func link(_ count: Int) -> SendLink {
    var link = SendLink(boot: "b")
    _ = link.ownerChanged(term: 5, at: .zero)
    for _ in 0..<count { _ = link.send([1], message: nil, at: .zero) }
    #expect(batches(link.flush(at: .zero)) == [[1]])
    #expect(numbers(link.answered(answer(1, kept(6)), term: 5, at: .zero)) == Array(2..<UInt64(count) + 1))
    return link
  }

  @Test func `sends wait until an owner is known, and one of them until it has answered`() {
    var link = SendLink(boot: "b")
    #expect(link.send([1], message: "order-1", at: .zero) == 1)
    #expect(link.send([2], message: nil, at: .zero) == 2)
    #expect(link.flush(at: .zero) == [])
    let first = ForwardedSend(number: 1, first: 1, message: "order-1", request: [1])
    #expect(link.ownerChanged(term: 5, at: .zero) == [.transmit([first], term: 5)])
    #expect(link.flush(at: .zero) == [])
    let second = ForwardedSend(number: 2, first: 2, message: "b-2", request: [2])
    #expect(
      link.answered(answer(1, kept(6)), term: 5, at: .zero) == [
        .ended(number: 1, .kept(value: 1, isDuplicate: false)), .transmit([second], term: 5),
      ])
    _ = link.send([3], message: nil, at: .zero)
    #expect(numbers(link.flush(at: .zero)) == [3])
  }

  @Test func `the sends of a wakeup travel together to an owner that takes several, within bounds`() {
    var link = link(1)
    for size in [1, 2, 3, SendLink.mostBytesAtOnce, SendLink.mostBytesAtOnce - 1, 1] {
      _ = link.send(Array(repeating: 0, count: size), message: nil, at: .zero)
    }
    #expect(batches(link.flush(at: .zero)) == [[2, 3, 4], [5], [6, 7]])
    #expect(link.flush(at: .zero) == [])
    for _ in 0...SendLink.mostSendsAtOnce { _ = link.send([], message: nil, at: .zero) }
    #expect(batches(link.flush(at: .zero)).map(\.count) == [SendLink.mostSendsAtOnce, 1])
    let answers = AnswerList([.init(2, kept(7)), .init(3, kept(7)), .init(4, .refused(code: "type", message: "no"))])
    #expect(
      link.answered(answers, term: 5, at: .zero) == [
        .ended(number: 2, .kept(value: 1, isDuplicate: false)), .ended(number: 3, .kept(value: 1, isDuplicate: false)),
        .ended(number: 4, .refused(code: "type", message: "no")),
      ])
  }

  @Test func `an owner of an earlier version is sent one at a time`() {
    var link = SendLink(boot: "b")
    _ = link.ownerChanged(term: 5, at: .zero)
    for _ in 0..<3 { _ = link.send([1], message: nil, at: .zero) }
    #expect(batches(link.flush(at: .zero)) == [[1]])
    #expect(batches(link.answered(answer(1, kept(6), isList: false), term: 5, at: .zero)) == [[2], [3]])
    #expect(batches(link.ownerChanged(term: 9, at: .zero)) == [[2]])
    _ = link.send([1], message: nil, at: .zero)
    #expect(batches(link.answered(answer(2, kept(10)), term: 9, at: .zero)) == [[3, 4]])
  }

  @Test func `what is not answered in a second is sent again, the oldest first`() {
    var link = link(4)
    _ = link.answered(answer(3, kept(8)), term: 5, at: at(10))
    #expect(numbers(link.timePassed(at: at(1_009))) == [])
    #expect(numbers(link.timePassed(at: at(1_010))) == [2])
    #expect(numbers(link.answered(answer(2, kept(7)), term: 5, at: at(1_011))) == [4])
  }

  @Test func `a new owner is sent everything that is not answered`() {
    var link = link(3)
    #expect(link.ownerChanged(term: 5, at: at(1)) == [])
    #expect(numbers(link.ownerChanged(term: 9, at: at(1))) == [2])
    #expect(link.answered(answer(2, kept(7)), term: 5, at: at(2)) == [])
    #expect(numbers(link.answered(answer(2, kept(11)), term: 9, at: at(2))) == [3])
  }

  @Test func `an owner that is not ready is asked again after a pause`() {
    var link = link(2)
    #expect(link.answered(answer(2, .again), term: 5, at: at(1)) == [])
    #expect(numbers(link.timePassed(at: at(50))) == [])
    #expect(numbers(link.timePassed(at: at(51))) == [2])
  }

  @Test func `nothing new is sent to an owner that has asked for the oldest again, until it has been asked`() {
    var link = link(3)
    _ = link.send([1], message: nil, at: .zero)
    let answers = AnswerList([.init(2, kept(7)), .init(3, .again)])
    #expect(numbers(link.answered(answers, term: 5, at: at(1))) == [])
    #expect(link.flush(at: at(2)) == [])
    #expect(numbers(link.timePassed(at: at(51))) == [3])
    #expect(numbers(link.answered(answer(3, kept(8)), term: 5, at: at(52))) == [4])
    // One that is answered meanwhile ends the pause.
    _ = link.answered(answer(4, .again), term: 5, at: at(60))
    #expect(link.answered(answer(4, kept(9)), term: 5, at: at(61)).count == 1)
    _ = link.send([1], message: nil, at: at(62))
    #expect(numbers(link.flush(at: at(62))) == [5])
  }

  @Test func `sends end in their order, and behind the events of their commits`() {
    var link = link(3)
    _ = link.told(6, at: .zero)
    #expect(link.answered(answer(3, .refused(code: "type", message: "no")), term: 5, at: at(1)) == [])
    #expect(link.answered(answer(2, kept(8)), term: 5, at: at(1)) == [])
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
    let list = AnswerList(answers.enumerated().map { AnswerList.Member(UInt64($0.offset) + 200, $0.element) })
    #expect(AnswerList(list.bytes, toFirst: 1) == list)
    #expect(AnswerList(list.bytes.dropLast(), toFirst: 1) == nil)
    for answer in answers {
      let single = self.answer(7, answer, isList: false)
      #expect(AnswerList(single.bytes, toFirst: 7) == single)
      #expect(AnswerList(single.bytes + [0], toFirst: 7) == nil)
    }
    #expect(AnswerList([9], toFirst: 1) == nil)
    for takesList in [false, true] {
      let request = OwnerRequest(
        node: "attic", boot: "b", sends: takesList ? sends : [sends[0]], takesList: takesList)
      #expect(OwnerRequest(request.bytes) == request)
      #expect(OwnerRequest(request.bytes.dropLast(takesList ? 1 : 4)) == nil)
    }
  }

  @Test func `the first version reads the first send of a request, and its answers are read`() {
    // As it wrote and read them.
    let request = OwnerRequest(node: "a", boot: "b", sends: [send(1, first: 1), send(2, first: 1)])
    let former: [UInt8] = [1, 97, 1, 98, 5, 1, 1, 1, 109, 0]
    #expect(Array(request.bytes.prefix(former.count)) == former)
    #expect(OwnerRequest(former) == OwnerRequest(node: "a", boot: "b", sends: [send(1, first: 1)], takesList: false))
    #expect(AnswerList([1, 1, 1, 0, 7], toFirst: 1) == answer(1, kept(7), isList: false))
  }

  @Test func `the sends of a request are answered together, without those that another request waits for`() {
    var received: [AnswerList] = []
    let request = OwnerRequest(node: "a", boot: "b", sends: [send(1, first: 1), send(2, first: 1), send(3, first: 1)])
    let gathering = AnswerGathering(to: request) { received.append($0) }
    gathering.add(2, .again)
    gathering.leaveOut()
    #expect(received == [])
    gathering.add(1, kept(4))
    #expect(received == [AnswerList([.init(2, .again), .init(1, kept(4))])])
  }
}

import Cluster
import ClusterSupport
import Signals
import Testing

@Suite struct SimulatedStreams {
  /// Submits requests one after the other, and returns the replies to each.
  private func replies(
    _ requests: [StreamRequest], malice: StreamMalice = .none, prepare: (SimulatedStream) -> Void = { _ in }
  ) -> ([[StreamReply]], SimulatedStream) {
    let time = SimulatedTime()
    let stream = SimulatedStream(time: time, chance: SimulatedChance(seed: 1), malice: malice)
    prepare(stream)
    var replies = Array(repeating: [StreamReply](), count: requests.count)
    for (index, request) in requests.enumerated() {
      stream.submit(request) { replies[index].append($0) }
      time.run(until: time.now + .seconds(30))
    }
    return (replies, stream)
  }

  private func malice(repeatedRequests: Int, groundlessRefusals: Int = 0) -> StreamMalice {
    var malice = StreamMalice.none
    malice.repeatedRequests = repeatedRequests
    malice.groundlessRefusals = groundlessRefusals
    return malice
  }

  private func append(_ byte: UInt8, after: UInt64) -> StreamRequest { .append(.commit, [byte], after: after) }

  @Test func `an append is stored where the log ends, and refused elsewhere`() {
    let (replies, stream) = replies([
      append(1, after: 0), append(2, after: 0), append(3, after: 2), append(4, after: 1),
    ])
    #expect(replies[0] == [.stored(1)])
    for refused in [replies[1], replies[2]] {
      #expect(refused == [.refused(last: 1)] || refused == [.refused(last: nil)])
    }
    #expect(replies[3] == [.stored(2)])
    #expect(stream.records.map(\.bytes) == [[1], [4]])
  }

  @Test func `a repeated append is stored once`() {
    let (replies, stream) = replies([append(1, after: 0)], malice: malice(repeatedRequests: 1000))
    #expect(replies[0].first == .stored(1))
    #expect(replies[0].count == 2)
    #expect(stream.last == 1)
  }

  @Test func `an append that was refused for no reason may still be stored`() {
    let (replies, _) = replies(
      (0..<20).map { append(UInt8($0), after: 0) }, malice: malice(repeatedRequests: 1000, groundlessRefusals: 500))
    let first = replies.first { $0.contains(.stored(1)) }
    #expect(first?.contains { if case .refused = $0 { true } else { false } } == true)
  }

  @Test func `a stream that is away answers so, and stores nothing`() {
    let (replies, stream) = replies([append(1, after: 0)]) { $0.goAway(for: .seconds(5)) }
    #expect(replies[0] == [.unavailable])
    #expect(stream.last == 0)
  }

  @Test func `a purge removes what is below, and keeps the sequences`() {
    let (replies, _) = replies(
      [append(1, after: 0), append(2, after: 1), .purge(below: 2), .message(at: 1), .message(at: 2), .info])
    #expect(
      replies[3...] == [
        [.missing], [.message(StoredMessage(sequence: 2, bytes: [2]))], [.info(first: 2, last: 2)],
      ])
  }

  @Test func `a reader on a replica that lags behind ends early, and hears heartbeats`() {
    let time = SimulatedTime()
    let stream = SimulatedStream(time: time, chance: SimulatedChance(seed: 1), malice: .none)
    for index in 0..<3 { stream.makeStale(index, for: .seconds(20)) }
    stream.submit(append(1, after: 0)) { _ in }
    var (delivered, beats): ([UInt64], [UInt64]) = ([], [])
    _ = stream.read(from: 1) {
      delivered.append($0.sequence)
    } heartbeat: {
      beats.append($0)
    }
    time.run(until: .zero + .seconds(10))
    #expect(delivered == [])
    #expect(beats == Array(repeating: 0, count: 10))
    time.run(until: .zero + .seconds(30))
    #expect(delivered == [1])
  }

  @Test func `what is lost at the end is gone, and its sequence is used again`() {
    let (replies, stream) = replies([append(1, after: 0), append(2, after: 1)])
    #expect(replies[1] == [.stored(2)])
    stream.loseTail(1)
    #expect(stream.last == 1)
  }
}

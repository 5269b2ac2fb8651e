import JSON
import Linux
import ReactiveCore
import SignalGraph
import TestSupport
import Testing
import WireProtocol

@testable import Daemon

/// A peer that takes as many bytes as it is told to.
private final class Peer: OutboxOwner {
  let outbox: Outbox
  var room = 0
  private(set) var bytes: [UInt8] = []
  /// How often it was to be disconnected.
  private(set) var disconnects = 0

  init(turn: Turn, account: Account, budget: Int) {
    outbox = Outbox(turn: turn, account: account, budget: budget)
    outbox.attach(to: self)
  }

  func flush() { outbox.flush() }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let taken = min(room, bytes.count)
    self.bytes += bytes.prefix(taken)
    room -= taken
    return taken
  }

  func disconnectSlow() { disconnects += 1 }
  func hasFallenBehind() {}

  var lines: [String] { String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
}

/// What a client reads of one signal under one label.
private struct Track {
  var next: UInt64 = 1
  var isExact = true

  mutating func read(_ line: String) {
    if let dropped = number(behind: #""dropped":"#, in: line) {
      next += dropped
    } else if let sequence = number(behind: #""seq":"#, in: line) {
      isExact = isExact && sequence == next
      next = sequence + 1
    }
  }

  private func number(behind key: String, in line: String) -> UInt64? {
    line.ranges(of: key).first.flatMap { UInt64(line[$0.upperBound...].prefix(while: \.isNumber)) }
  }
}

@Suite struct `What a client is still to be sent` {
  private let turn = Turn(TurnClock())
  private let clock = GraphClock(now: .zero, wallOffset: 0)
  private let ledger = Ledger(limits: SignalGraph.Limits())

  private func peer(budget: Int) -> Peer { Peer(turn: turn, account: ledger.account(ofUser: 1), budget: budget) }

  private func append(_ stream: EventStream, _ sequence: UInt64, size: Int, _ lane: Lane, _ peer: Peer) {
    let start = turn.count
    let text = [UInt8](repeating: 0x30, count: size)
    let payload = Payload.raw(RawJSON(validated: [0x22] + text + [0x22]))
    stream.append(Retention.Entry(sequence: sequence, payload: payload, time: 0), to: &turn.bytes)
    peer.outbox.append(event: start..<turn.count, lane: lane, stream: stream)
  }

  @Test func `a peer that reads gets its bytes from the turn's buffer, in one write`() {
    let peer = peer(budget: 1000)
    peer.room = .max
    let stream = EventStream(signal: "g.a", clock: clock)
    let lane = Lane(overflow: .dropOldest)
    for sequence in 1...3 { append(stream, UInt64(sequence), size: 10, lane, peer) }
    #expect(peer.lines.isEmpty)
    turn.flush()
    #expect(peer.lines.count == 3)
    #expect(peer.outbox.isEmpty && turn.count == 0 && ledger.heldBytes == 0)
  }

  @Test func `what is kept for a slow peer takes its own room, not that of the turn's buffer`() {
    turn.bytes.reserveCapacity(Turn.comfortableSize)
    turn.bytes += [UInt8](repeating: 0x30, count: 100)
    #expect(turn.shared(0..<100).bytes.capacity < 1000)
  }

  /// Sends at random, lets the peer read at random, and has nothing go missing unsaid.
  @Test(arguments: [OverflowRule.dropOldest, .dropNewest, .latest], 1...6)
  func `each event arrives in order or is counted where it is missing`(overflow: OverflowRule, seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let budget = 3000
    let peer = peer(budget: budget)
    let lanes = [Lane(overflow: overflow), Lane(overflow: .dropOldest)]
    let streams = (0..<2).map { lane in
      (0..<3).map { EventStream(signal: "g.\($0)", clock: clock, form: EventForm(label: lane == 0 ? nil : "x")) }
    }
    var sequences = [[UInt64]](repeating: [0, 0, 0], count: 2)
    for _ in 0..<4000 {
      let (lane, signal) = (Int.random(in: 0..<2, using: &random), Int.random(in: 0..<3, using: &random))
      sequences[lane][signal] += 1
      append(
        streams[lane][signal], sequences[lane][signal], size: .random(in: 1...200, using: &random), lanes[lane], peer)
      #expect(peer.outbox.heldBytes <= budget + 2 * CommittedBytes.most)
      if Int.random(in: 0..<20, using: &random) == 0 { peer.room += .random(in: 0...4000, using: &random) }
      if Int.random(in: 0..<5, using: &random) == 0 { turn.flush() }
    }
    peer.room = .max
    while !peer.outbox.isEmpty {
      peer.flush()
      turn.flush()
    }
    let lines = peer.lines
    for lane in 0..<2 {
      for signal in 0..<3 {
        var track = Track()
        for line in lines
        where line.contains("subscription") == (lane == 1) && line.contains(#""signal":"g.\#(signal)""#) {
          track.read(line)
        }
        #expect(track.isExact)
        #expect(track.next == sequences[lane][signal] + 1)
      }
    }
    #expect(lanes.allSatisfy { $0.heldBytes == 0 && $0.signals.isEmpty })
    #expect(ledger.heldBytes == 0)
  }

  @Test func `latest keeps one value of each signal, however many there are`() {
    let peer = peer(budget: 8000)
    let lane = Lane(overflow: .latest)
    let streams = (0..<10).map { EventStream(signal: "g.\($0)", clock: clock) }
    turn.flush()
    for sequence in 1...50 {
      for stream in streams { append(stream, UInt64(sequence), size: 10, lane, peer) }
      turn.flush()
    }
    peer.room = .max
    while !peer.outbox.isEmpty { peer.flush() }
    for stream in streams {
      let last = peer.lines.last { $0.contains(#""signal":"\#(stream.signal)""#) }
      #expect(last?.contains(#""seq":50"#) == true)
    }
  }

  @Test func `what a subscription has had of all that it asked for is not dropped for the sake of others`() {
    let peer = peer(budget: 20_000)
    turn.flush()
    let taken = Lane(overflow: .dropOldest, remaining: 40)
    let stream = EventStream(signal: "g.taken", clock: clock)
    for sequence in 1...40 {
      append(stream, UInt64(sequence), size: 100, taken, peer)
      taken.remaining = taken.remaining.map { $0 - 1 }
    }
    let others = (0..<10).map { (Lane(overflow: .dropOldest), EventStream(signal: "g.other\($0)", clock: clock)) }
    for sequence in 1...100 {
      for (lane, stream) in others { append(stream, UInt64(sequence), size: 100, lane, peer) }
    }
    peer.room = .max
    while !peer.outbox.isEmpty { peer.flush() }
    #expect(peer.lines.filter { $0.contains("g.taken") && $0.contains("next") }.count == 40)
    #expect(taken.dropped == 0 && others.allSatisfy { $0.0.dropped > 0 })
  }

  @Test func `however many have had all that they asked for, they hold no more than the budget`() {
    let peer = peer(budget: 20_000)
    turn.flush()
    for number in 0..<1000 {
      let lane = Lane(overflow: .dropOldest, remaining: 1)
      let stream = EventStream(signal: "g.a", clock: clock, form: EventForm(label: "\(number)"))
      let start = turn.count
      let value = Payload.raw(RawJSON(validated: [0x31]))
      stream.append(Retention.Entry(sequence: 1, payload: value, time: 0), to: &turn.bytes)
      if peer.outbox.append(event: start..<turn.count, lane: lane, stream: stream) { lane.remaining = 0 }
      turn.flush()
      // Of what is not appended it is said that it is missing, in a line that has a charge of its own.
      #expect(lane.isSatisfied || lane.heldBytes == 0)
    }
    #expect(peer.outbox.heldBytes < 20_000 + 1000 * 2 * OutputQueue.entryOverhead)
  }

  @Test func `disconnect gives up the client instead of an event`() {
    let peer = peer(budget: 500)
    let stream = EventStream(signal: "g.a", clock: clock)
    let lane = Lane(overflow: .disconnect)
    var sequence: UInt64 = 0
    while peer.disconnects == 0 && sequence < 2000 {
      sequence += 1
      append(stream, sequence, size: 100, lane, peer)
      turn.flush()
    }
    #expect(peer.disconnects == 1)
    #expect(lane.dropped == 0 && stream.losses.count == 0)
    peer.room = .max
    while !peer.outbox.isEmpty { peer.flush() }
    var track = Track()
    for line in peer.lines { track.read(line) }
    // All but the one that found no room, and no word of anything missing.
    #expect(track.isExact && track.next == sequence && UInt64(peer.lines.count) == sequence - 1)
  }

  @Test func `closing gives everything back`() {
    let peer = peer(budget: 5000)
    let stream = EventStream(signal: "g.a", clock: clock)
    let lane = Lane(overflow: .dropOldest)
    for sequence in 1...100 {
      append(stream, UInt64(sequence), size: 100, lane, peer)
      turn.flush()
    }
    #expect(ledger.heldBytes > 0)
    peer.outbox.close()
    append(stream, 101, size: 100, lane, peer)
    turn.flush()
    #expect(ledger.heldBytes == 0 && peer.outbox.isEmpty)
  }
}

import GraphEngine
import GraphModel
import JSON
import Linux
import Signals
import TestSupport
import Testing
import WireProtocol

@testable import Daemon

/// A peer that accepts a settable number of bytes.
private final class Peer: SendBufferOwner {
  let sendBuffer: SendBuffer
  var room = 0
  private(set) var bytes: [UInt8] = []
  /// The number of disconnection requests.
  private(set) var disconnects = 0

  init(iteration: LoopIteration, account: Account, budget: Int) {
    sendBuffer = SendBuffer(iteration: iteration, account: account, budget: budget)
    sendBuffer.attach(to: self)
  }

  func flush() { sendBuffer.flush() }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let taken = min(room, bytes.count)
    self.bytes += bytes.prefix(taken)
    room -= taken
    return taken
  }

  func disconnectSlow(exceeding limit: MemoryLimit) { disconnects += 1 }
  func didFallBehind() {}

  var lines: [String] { String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
}

/// A client's view of one signal under one label.
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
  private let iteration = LoopIteration(IterationClock())
  private let clock = GraphClock(now: .zero, wallOffset: 0)
  private let ledger = Ledger(limits: GraphModel.Limits())

  private func peer(budget: Int) -> Peer {
    Peer(iteration: iteration, account: ledger.account(ofUser: 1), budget: budget)
  }

  private func append(
    _ stream: EventEncoder, _ sequence: UInt64, size: Int, _ subscriptionQueue: SubscriptionQueue, _ peer: Peer
  ) {
    let start = iteration.count
    let text = [UInt8](repeating: 0x30, count: size)
    let payload = Payload.raw(RawJSON(validated: [0x22] + text + [0x22]))
    stream.append(Retention.Entry(sequence: sequence, payload: payload, time: 0), to: &iteration.bytes)
    peer.sendBuffer.append(event: start..<iteration.count, subscriptionQueue: subscriptionQueue, stream: stream)
  }

  @Test func `a peer that reads gets its bytes from the turn's buffer, in one write`() {
    let peer = peer(budget: 1000)
    peer.room = .max
    let stream = EventEncoder(signal: "g.a", clock: clock)
    let subscriptionQueue = SubscriptionQueue(overflow: .dropOldest)
    for sequence in 1...3 { append(stream, UInt64(sequence), size: 10, subscriptionQueue, peer) }
    #expect(peer.lines.isEmpty)
    iteration.flush()
    #expect(peer.lines.count == 3)
    #expect(peer.sendBuffer.isEmpty && iteration.count == 0 && ledger.heldBytes == 0)
  }

  @Test func `what is kept for a slow peer takes its own room, not that of the turn's buffer`() {
    iteration.bytes.reserveCapacity(LoopIteration.comfortableSize)
    iteration.bytes += [UInt8](repeating: 0x30, count: 100)
    #expect(iteration.shared(0..<100).bytes.capacity < 1000)
  }

  /// Sends at random, some of it missed by the peer's subscriptions as if their work were used up, lets the peer read at random,
  /// and checks that every loss is reported.
  @Test(arguments: [OverflowRule.dropOldest, .dropNewest, .latest], 1...6)
  func `each event arrives in order or is counted where it is missing`(overflow: OverflowRule, seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let budget = 3000
    let peer = peer(budget: budget)
    let subscriptionQueues = [SubscriptionQueue(overflow: overflow), SubscriptionQueue(overflow: .dropOldest)]
    let streams = (0..<2).map { subscriptionQueue in
      (0..<3).map {
        EventEncoder(signal: "g.\($0)", clock: clock, form: EventForm(label: subscriptionQueue == 0 ? nil : "x"))
      }
    }
    var sequences = [[UInt64]](repeating: [0, 0, 0], count: 2)
    for _ in 0..<4000 {
      let (subscriptionQueue, signal) = (Int.random(in: 0..<2, using: &random), Int.random(in: 0..<3, using: &random))
      let stream = streams[subscriptionQueue][signal]
      sequences[subscriptionQueue][signal] += 1
      if Int.random(in: 0..<10, using: &random) == 0 {
        peer.sendBuffer.miss(1, subscriptionQueue: subscriptionQueues[subscriptionQueue], stream: stream)
      } else {
        append(
          stream, sequences[subscriptionQueue][signal], size: .random(in: 1...200, using: &random),
          subscriptionQueues[subscriptionQueue], peer)
      }
      #expect(peer.sendBuffer.heldBytes <= budget + 2 * WriteBuffer.most)
      if Int.random(in: 0..<20, using: &random) == 0 { peer.room += .random(in: 0...4000, using: &random) }
      if Int.random(in: 0..<5, using: &random) == 0 { iteration.flush() }
    }
    peer.room = .max
    while !peer.sendBuffer.isEmpty {
      peer.flush()
      iteration.flush()
    }
    let lines = peer.lines
    for subscriptionQueue in 0..<2 {
      for signal in 0..<3 {
        var track = Track()
        for line in lines
        where line.contains("subscription") == (subscriptionQueue == 1) && line.contains(#""signal":"g.\#(signal)""#) {
          track.read(line)
        }
        #expect(track.isExact)
        #expect(track.next == sequences[subscriptionQueue][signal] + 1)
      }
    }
    #expect(subscriptionQueues.allSatisfy { $0.heldBytes == 0 && $0.signals.isEmpty })
    #expect(ledger.heldBytes == 0)
  }

  @Test(arguments: [OverflowRule.dropOldest, .latest], 1...4)
  func `an event that is dropped before others is counted before them, whatever was missed since`(
    overflow: OverflowRule, dropped: Int
  ) {
    let stream = EventEncoder(signal: "g.a", clock: clock)
    let subscriptionQueue = SubscriptionQueue(overflow: overflow)
    var queue = BoundedQueue(budget: 10_000)
    for sequence: UInt64 in 1...8 {
      if sequence == 4 || sequence == 6 {
        queue.miss(subscriptionQueue: subscriptionQueue, stream: stream)
        continue
      }
      var line: [UInt8] = []
      stream.append(Retention.Entry(sequence: sequence, payload: .value(1), time: 0), to: &line)
      let arrival = BoundedQueue.Arrival(subscriptionQueue: subscriptionQueue, stream: stream, charge: line.count)
      queue.append(SharedBytes(line), arrival)
    }
    for _ in 0..<dropped { _ = queue.evict() }
    var bytes: [UInt8] = []
    while !queue.isEmpty { queue.take(into: &bytes) }
    var track = Track()
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") { track.read(String(line)) }
    #expect(track.isExact && track.next == 9)
  }

  @Test func `latest keeps one value of each signal, however many there are`() {
    let peer = peer(budget: 8000)
    let subscriptionQueue = SubscriptionQueue(overflow: .latest)
    let streams = (0..<10).map { EventEncoder(signal: "g.\($0)", clock: clock) }
    iteration.flush()
    for sequence in 1...50 {
      for stream in streams { append(stream, UInt64(sequence), size: 10, subscriptionQueue, peer) }
      iteration.flush()
    }
    peer.room = .max
    while !peer.sendBuffer.isEmpty { peer.flush() }
    for stream in streams {
      let last = peer.lines.last { $0.contains(#""signal":"\#(stream.signal)""#) }
      #expect(last?.contains(#""seq":50"#) == true)
    }
  }

  /// Fills a queue with one event of each of many signals, then sends each of them three more, and returns the processor time of
  /// the latter.
  private func timeOfEvictions(_ overflow: OverflowRule, signals: Int) -> Duration {
    let peer = peer(budget: signals * 100)
    let subscriptionQueue = SubscriptionQueue(overflow: overflow)
    let streams = (0..<signals).map { EventEncoder(signal: "g.s\($0)", clock: clock) }
    for stream in streams { append(stream, 1, size: 1, subscriptionQueue, peer) }
    return ProcessorTime.of {
      for sequence in UInt64(2)...4 {
        for stream in streams.reversed() { append(stream, sequence, size: 1, subscriptionQueue, peer) }
      }
    }
  }

  @Test(arguments: [OverflowRule.dropOldest, .latest])
  func `four times as many signals of a slow client take about four times as long`(overflow: OverflowRule) {
    let ratio = (0..<5).map { _ in
      timeOfEvictions(overflow, signals: 8000) / timeOfEvictions(overflow, signals: 2000)
    }.min()
    #expect((ratio ?? 0) < 9, "quadratic would be 16")
  }

  @Test func `what a subscription has had of all that it asked for is not dropped for the sake of others`() {
    let peer = peer(budget: 20_000)
    iteration.flush()
    let taken = SubscriptionQueue(overflow: .dropOldest, remaining: 40)
    let stream = EventEncoder(signal: "g.taken", clock: clock)
    for sequence in 1...40 {
      append(stream, UInt64(sequence), size: 100, taken, peer)
      taken.remaining = taken.remaining.map { $0 - 1 }
    }
    let others = (0..<10).map {
      (SubscriptionQueue(overflow: .dropOldest), EventEncoder(signal: "g.other\($0)", clock: clock))
    }
    for sequence in 1...100 {
      for (subscriptionQueue, stream) in others { append(stream, UInt64(sequence), size: 100, subscriptionQueue, peer) }
    }
    peer.room = .max
    while !peer.sendBuffer.isEmpty { peer.flush() }
    #expect(peer.lines.filter { $0.contains("g.taken") && $0.contains("next") }.count == 40)
    #expect(taken.dropped == 0 && others.allSatisfy { $0.0.dropped > 0 })
  }

  @Test func `however many have had all that they asked for, they hold no more than the budget`() {
    let peer = peer(budget: 20_000)
    iteration.flush()
    for number in 0..<1000 {
      let subscriptionQueue = SubscriptionQueue(overflow: .dropOldest, remaining: 1)
      let stream = EventEncoder(signal: "g.a", clock: clock, form: EventForm(label: "\(number)"))
      let start = iteration.count
      let value = Payload.raw(RawJSON(validated: [0x31]))
      stream.append(Retention.Entry(sequence: 1, payload: value, time: 0), to: &iteration.bytes)
      if peer.sendBuffer.append(event: start..<iteration.count, subscriptionQueue: subscriptionQueue, stream: stream) {
        subscriptionQueue.remaining = 0
      }
      iteration.flush()
      // Values that are not appended are reported as missing, in a line with a charge of its own.
      #expect(subscriptionQueue.isSatisfied || subscriptionQueue.heldBytes == 0)
    }
    #expect(peer.sendBuffer.heldBytes < 20_000 + 1000 * 2 * OutputQueue.entryOverhead)
  }

  @Test func `disconnect gives up the client instead of an event`() {
    let peer = peer(budget: 500)
    let stream = EventEncoder(signal: "g.a", clock: clock)
    let subscriptionQueue = SubscriptionQueue(overflow: .disconnect)
    var sequence: UInt64 = 0
    while peer.disconnects == 0 && sequence < 2000 {
      sequence += 1
      append(stream, sequence, size: 100, subscriptionQueue, peer)
      iteration.flush()
    }
    #expect(peer.disconnects == 1)
    #expect(subscriptionQueue.dropped == 0 && stream.losses.count == 0)
    peer.room = .max
    while !peer.sendBuffer.isEmpty { peer.flush() }
    var track = Track()
    for line in peer.lines { track.read(line) }
    // All but the one that exceeded the buffer, and no loss reported.
    #expect(track.isExact && track.next == sequence && UInt64(peer.lines.count) == sequence - 1)
  }

  @Test func `closing gives everything back`() {
    let peer = peer(budget: 5000)
    let stream = EventEncoder(signal: "g.a", clock: clock)
    let subscriptionQueue = SubscriptionQueue(overflow: .dropOldest)
    for sequence in 1...100 {
      append(stream, UInt64(sequence), size: 100, subscriptionQueue, peer)
      iteration.flush()
    }
    #expect(ledger.heldBytes > 0)
    peer.sendBuffer.close()
    append(stream, 101, size: 100, subscriptionQueue, peer)
    iteration.flush()
    #expect(ledger.heldBytes == 0 && peer.sendBuffer.isEmpty)
  }
}

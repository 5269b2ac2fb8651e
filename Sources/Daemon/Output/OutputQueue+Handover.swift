import GraphEngine
import Signals

// A queue in a handover: its entries in order, each with the numbers of its subscription queue and its stream.

/// The subscription queues and streams of one client, by their numbers in a handover.
struct QueueParts {
  private(set) var subscriptionQueues: [SubscriptionQueue] = []
  private(set) var streams: [EventEncoder] = []
  private var numbers: [ObjectIdentifier: Int] = [:]

  mutating func append(_ subscriptionQueue: SubscriptionQueue) {
    if numbers[ObjectIdentifier(subscriptionQueue)] != nil { return }
    numbers[ObjectIdentifier(subscriptionQueue)] = subscriptionQueues.count
    subscriptionQueues.append(subscriptionQueue)
  }

  mutating func append(_ stream: EventEncoder) {
    if numbers[ObjectIdentifier(stream)] != nil { return }
    numbers[ObjectIdentifier(stream)] = streams.count
    streams.append(stream)
  }

  /// Appends a stream under the next number, even if it is already present.
  mutating func append(restored stream: EventEncoder) { streams.append(stream) }

  fileprivate func number(of part: AnyObject) -> Int {
    guard let number = numbers[ObjectIdentifier(part)] else { preconditionFailure("missing part of a queue") }
    return number
  }

  fileprivate func subscriptionQueue(_ number: Int) throws(StateError) -> SubscriptionQueue {
    guard subscriptionQueues.indices.contains(number) else {
      throw StateError("missing queue \(number) of \(subscriptionQueues.count)")
    }
    return subscriptionQueues[number]
  }

  fileprivate func stream(_ number: Int) throws(StateError) -> EventEncoder {
    guard streams.indices.contains(number) else {
      throw StateError("missing stream \(number) of \(streams.count)")
    }
    return streams[number]
  }
}

extension OutputQueue {
  /// Returns the subscription queues and the streams of its entries, each once, in the order of the entries.
  ///
  /// - Parameter owned: Subscription queues to put before them.
  func parts(behind owned: [SubscriptionQueue]) -> QueueParts {
    var parts = QueueParts()
    for subscriptionQueue in owned { parts.append(subscriptionQueue) }
    forEach { _, entry in
      if let subscriptionQueue = entry.subscriptionQueue { parts.append(subscriptionQueue) }
      let stream = if case .replay(let replay) = entry.content { replay.stream } else { entry.stream }
      if let stream { parts.append(stream) }
    }
    return parts
  }

  private func forEach(_ body: (Int32, Entry) -> Void) {
    var place = first
    while place != Self.none {
      let entry = self[place]
      body(place, entry)
      place = entry.next
    }
  }

  func encode(to writer: inout StateEncoder, _ parts: QueueParts, _ sharing: inout SharedParts) {
    var order: [Int32: Int] = [:]
    forEach { place, _ in order[place] = order.count }
    writer.count(order.count)
    var place = first
    while place != Self.none {
      let entry = self[place]
      encode(entry, to: &writer, parts, &sharing)
      place = entry.next
    }
    for subscriptionQueue in parts.subscriptionQueues {
      let shares =
        subscriptionQueue.first == Self.none
        ? [] : parts.streams.filter { subscriptionQueue.signals[ObjectIdentifier($0)] != nil }
      writer.count(shares.count)
      for stream in shares {
        let share = subscriptionQueue[stream]
        writer.count(parts.number(of: stream))
        (order[share.marker] ?? -1).encode(to: &writer)
        share.events.encode(to: &writer)
        share.eventsBehindMarker.encode(to: &writer)
      }
    }
  }

  private func encode(
    _ entry: Entry, to writer: inout StateEncoder, _ parts: QueueParts, _ sharing: inout SharedParts
  ) {
    (entry.subscriptionQueue.map(parts.number) ?? -1).encode(to: &writer)
    (entry.stream.map(parts.number) ?? -1).encode(to: &writer)
    switch entry.content {
    case .event(let shared):
      writer.byte(0)
      sharing.encode(shared, to: &writer)
    case .line(let shared):
      writer.byte(1)
      sharing.encode(shared, to: &writer)
    case .lagged(let dropped):
      writer.byte(2)
      dropped.encode(to: &writer)
    case .replay(let replay):
      writer.byte(3)
      writer.count(parts.number(of: replay.stream))
      replay.rest.encode(to: &writer)
    case .free: preconditionFailure("invalid free list")
    }
  }

  /// Fills an empty queue.
  mutating func restore(
    from reader: inout StateDecoder, _ parts: QueueParts, _ sharing: inout SharedParts
  ) throws(StateError) {
    let count = try reader.count()
    for _ in 0..<count {
      let (subscriptionQueue, stream) = (try Int(from: &reader), try Int(from: &reader))
      let content = try Self.content(from: &reader, parts, &sharing)
      let owner = subscriptionQueue < 0 ? nil : try parts.subscriptionQueue(subscriptionQueue)
      append(content, subscriptionQueue: owner, stream: stream < 0 ? nil : try parts.stream(stream))
      guard case .event(let shared) = content, let owner else { continue }
      charge(owner, shared.bytes.count + Self.entryOverhead)
      if stream >= 0 { noteArrival(of: try parts.stream(stream), in: owner) }
    }
    for subscriptionQueue in parts.subscriptionQueues {
      for _ in 0..<(try reader.count()) {
        let stream = try parts.stream(Int(clamping: try reader.number()))
        let marker = try Int(from: &reader)
        guard marker < count else { throw StateError("missing count of dropped events") }
        // An empty queue assigns its positions in order.
        subscriptionQueue[stream] = SubscriptionQueue.SignalShare(
          marker: marker < 0 ? Self.none : Int32(marker), events: try Int(from: &reader),
          eventsBehindMarker: try Int(from: &reader), newest: subscriptionQueue[stream].newest)
      }
    }
  }

  private static func content(
    from reader: inout StateDecoder, _ parts: QueueParts, _ sharing: inout SharedParts
  ) throws(StateError) -> Content {
    switch try reader.byte() {
    case 0: .event(try sharing.restore(from: &reader))
    case 1: .line(try sharing.restore(from: &reader))
    case 2: .lagged(try UInt64(from: &reader))
    case 3: try replay(from: &reader, parts)
    default: throw StateError("unknown kind of queue entry")
    }
  }

  private static func replay(from reader: inout StateDecoder, _ parts: QueueParts) throws(StateError) -> Content {
    let stream = try parts.stream(Int(clamping: try reader.number()))
    return .replay(Replay(try [Retention.Entry](from: &reader), of: stream))
  }
}

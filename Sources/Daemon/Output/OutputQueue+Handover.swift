import ReactiveCore
import SignalGraph

// A queue in a handover: its entries in their order, each with the numbers of its lane and its stream.

/// The lanes and streams of one client, by their numbers in a handover.
struct QueueParts {
  private(set) var lanes: [Lane] = []
  private(set) var streams: [EventStream] = []
  private var numbers: [ObjectIdentifier: Int] = [:]

  mutating func append(_ lane: Lane) {
    if numbers[ObjectIdentifier(lane)] != nil { return }
    numbers[ObjectIdentifier(lane)] = lanes.count
    lanes.append(lane)
  }

  mutating func append(_ stream: EventStream) {
    if numbers[ObjectIdentifier(stream)] != nil { return }
    numbers[ObjectIdentifier(stream)] = streams.count
    streams.append(stream)
  }

  /// Takes in a stream under the next number, be it there already.
  mutating func append(restored stream: EventStream) { streams.append(stream) }

  fileprivate func number(of part: AnyObject) -> Int {
    guard let number = numbers[ObjectIdentifier(part)] else { preconditionFailure("a part of a queue was left out") }
    return number
  }

  fileprivate func lane(_ number: Int) throws(StateError) -> Lane {
    guard lanes.indices.contains(number) else { throw StateError("lane \(number) of \(lanes.count) is not there") }
    return lanes[number]
  }

  fileprivate func stream(_ number: Int) throws(StateError) -> EventStream {
    guard streams.indices.contains(number) else {
      throw StateError("stream \(number) of \(streams.count) is not there")
    }
    return streams[number]
  }
}

extension OutputQueue {
  /// The lanes and the streams of its entries, each once, in the order of the entries.
  ///
  /// - Parameter owned: Lanes that come before them.
  func parts(behind owned: [Lane]) -> QueueParts {
    var parts = QueueParts()
    for lane in owned { parts.append(lane) }
    forEach { _, entry in
      if let lane = entry.lane { parts.append(lane) }
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

  func store(in writer: inout StateWriter, _ parts: QueueParts, _ sharing: inout SharedParts) {
    var order: [Int32: Int] = [:]
    forEach { place, _ in order[place] = order.count }
    writer.count(order.count)
    var place = first
    while place != Self.none {
      let entry = self[place]
      store(entry, in: &writer, parts, &sharing)
      place = entry.next
    }
    for lane in parts.lanes {
      let shares = lane.first == Self.none ? [] : parts.streams.filter { lane.signals[ObjectIdentifier($0)] != nil }
      writer.count(shares.count)
      for stream in shares {
        let share = lane[stream]
        writer.count(parts.number(of: stream))
        (order[share.marker] ?? -1).store(in: &writer)
        share.events.store(in: &writer)
        share.eventsBehindMarker.store(in: &writer)
      }
    }
  }

  private func store(
    _ entry: Entry, in writer: inout StateWriter, _ parts: QueueParts, _ sharing: inout SharedParts
  ) {
    (entry.lane.map(parts.number) ?? -1).store(in: &writer)
    (entry.stream.map(parts.number) ?? -1).store(in: &writer)
    switch entry.content {
    case .event(let shared):
      writer.byte(0)
      sharing.store(shared, in: &writer)
    case .line(let shared):
      writer.byte(1)
      sharing.store(shared, in: &writer)
    case .lagged(let dropped):
      writer.byte(2)
      dropped.store(in: &writer)
    case .replay(let replay):
      writer.byte(3)
      writer.count(parts.number(of: replay.stream))
      replay.rest.store(in: &writer)
    case .free: preconditionFailure("a free place stands in no list")
    }
  }

  /// Fills a queue that is empty.
  mutating func restore(
    from reader: inout StateReader, _ parts: QueueParts, _ sharing: inout SharedParts
  ) throws(StateError) {
    let count = try reader.count()
    for _ in 0..<count {
      let (lane, stream) = (try Int(from: &reader), try Int(from: &reader))
      let content = try Self.content(from: &reader, parts, &sharing)
      let owner = lane < 0 ? nil : try parts.lane(lane)
      append(content, lane: owner, stream: stream < 0 ? nil : try parts.stream(stream))
      if case .event(let shared) = content { owner?.heldBytes += shared.bytes.count + Self.entryOverhead }
    }
    for lane in parts.lanes {
      for _ in 0..<(try reader.count()) {
        let stream = try parts.stream(Int(clamping: try reader.number()))
        let marker = try Int(from: &reader)
        guard marker < count else { throw StateError("a count of dropped events is not there") }
        // An empty queue gives out its places in order.
        lane[stream] = Lane.SignalShare(
          marker: marker < 0 ? Self.none : Int32(marker), events: try Int(from: &reader),
          eventsBehindMarker: try Int(from: &reader))
      }
    }
  }

  private static func content(
    from reader: inout StateReader, _ parts: QueueParts, _ sharing: inout SharedParts
  ) throws(StateError) -> Content {
    switch try reader.byte() {
    case 0: .event(try sharing.restore(from: &reader))
    case 1: .line(try sharing.restore(from: &reader))
    case 2: .lagged(try UInt64(from: &reader))
    case 3: try replay(from: &reader, parts)
    default: throw StateError("an entry of a queue is of no kind")
    }
  }

  private static func replay(from reader: inout StateReader, _ parts: QueueParts) throws(StateError) -> Content {
    let stream = try parts.stream(Int(clamping: try reader.number()))
    return .replay(Replay(try [Retention.Entry](from: &reader), of: stream))
  }
}

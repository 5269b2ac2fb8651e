// Events that may be dropped: queueing them, writing them out, and leaving a count where some are missing.
//
// A `lagged` entry of a signal stands in the lane where events of that signal are missing. More that go missing next to
// it are added to it; elsewhere a new one is made, so the sum is exact and each count stands where its gap is.
extension OutputQueue {
  mutating func append(event: SharedBytes, lane: Lane, stream: EventStream) {
    append(.event(event), lane: lane, stream: stream)
    lane.heldBytes += event.bytes.count + Self.entryOverhead
    lane[stream].events += 1
    if lane[stream].marker != Self.none { lane[stream].eventsBehindMarker += 1 }
  }

  /// Takes the first entry out, to be written.
  mutating func takeFirst() -> Entry {
    let place = first
    let entry = remove(place)
    guard let lane = entry.lane, let stream = entry.stream else { return entry }
    switch entry.content {
    case .event:
      lane.heldBytes -= entry.charge
      lane[stream].events -= 1
    case .lagged:
      if lane[stream].marker == place { lane[stream].marker = Self.none }
    case .line, .replay, .free: break
    }
    if lane.first == Self.none { lane.signals = [:] }
    return entry
  }

  /// Drops an event that has no older one of its signal in the lane.
  mutating func dropOldest(_ place: Int32, of lane: Lane) {
    guard let stream = release(place, of: lane) else { return }
    let share = lane[stream]
    if share.marker == Self.none {
      mark(place, dropped: 1)
      lane[stream].marker = place
      lane[stream].eventsBehindMarker = share.events
    } else {
      lane[stream].eventsBehindMarker -= 1
      count(at: share.marker)
      remove(place)
    }
  }

  /// Drops an event that has no newer one of its signal in the lane.
  mutating func dropNewest(_ place: Int32, of lane: Lane) {
    guard let stream = release(place, of: lane) else { return }
    let share = lane[stream]
    if share.marker != Self.none && share.eventsBehindMarker <= 1 {
      count(at: share.marker)
      remove(place)
    } else {
      mark(place, dropped: 1)
      lane[stream].marker = place
    }
    lane[stream].eventsBehindMarker = 0
  }

  /// Counts an event that is dropped without having been queued.
  mutating func dropIncoming(lane: Lane, stream: EventStream) {
    lane.dropped += 1
    stream.losses.count += 1
    let share = lane[stream]
    if share.marker != Self.none && share.eventsBehindMarker == 0 { return count(at: share.marker) }
    append(.lagged(1), lane: lane, stream: stream)
    lane[stream].marker = lane.last
    lane[stream].eventsBehindMarker = 0
  }

  /// The oldest event of a lane, or the newest.
  func oldestEvent(of lane: Lane) -> Int32? { event(from: lane.first, by: \.nextOfLane) }

  func newestEvent(of lane: Lane) -> Int32? { event(from: lane.last, by: \.previousOfLane) }

  /// The oldest event of a lane whose signal has a newer one, either in here or in `incoming`.
  func oldestSupersededEvent(of lane: Lane, incoming: EventStream?) -> Int32? {
    var place = lane.first
    while place != Self.none {
      let entry = self[place]
      if case .event = entry.content, let stream = entry.stream,
        stream === incoming || lane[stream].events > 1
      {
        return place
      }
      place = entry.nextOfLane
    }
    return nil
  }

  private func event(from start: Int32, by step: KeyPath<Entry, Int32>) -> Int32? {
    var place = start
    while place != Self.none {
      if case .event = self[place].content { return place }
      place = self[place][keyPath: step]
    }
    return nil
  }

  /// Takes an event that is being dropped off its lane's account.
  private func release(_ place: Int32, of lane: Lane) -> EventStream? {
    let entry = self[place]
    lane.heldBytes -= entry.charge
    lane.dropped += 1
    if let remaining = lane.remaining { lane.remaining = remaining + 1 }
    guard let stream = entry.stream else { return nil }
    lane[stream].events -= 1
    stream.losses.count += 1
    return stream
  }

  private mutating func count(at marker: Int32) {
    if case .lagged(let dropped) = self[marker].content { mark(marker, dropped: dropped + 1) }
  }
}

// Events that may be dropped: queueing them, writing them out, and leaving a count where some are missing.
//
// A `lagged` entry of a signal stands in the lane where events of that signal are missing. More that go missing next to
// it are added to it; elsewhere a new one is made, so the sum is exact and each count stands where its gap is.
extension OutputQueue {
  mutating func append(event: SharedBytes, lane: Lane, feed: Feed) {
    append(.event(event), lane: lane, feed: feed)
    lane.heldBytes += event.bytes.count + Self.entryOverhead
    lane[feed].events += 1
    if lane[feed].marker != Self.none { lane[feed].eventsBehindMarker += 1 }
  }

  /// Takes the first entry out, to be written.
  mutating func takeFirst() -> Entry {
    let place = first
    let entry = remove(place)
    guard let lane = entry.lane, let feed = entry.feed else { return entry }
    switch entry.content {
    case .event:
      lane.heldBytes -= entry.charge
      lane[feed].events -= 1
    case .lagged:
      if lane[feed].marker == place { lane[feed].marker = Self.none }
    case .line, .backlog, .free: break
    }
    if lane.first == Self.none { lane.signals = [:] }
    return entry
  }

  /// Drops an event that has no older one of its signal in the lane.
  mutating func dropOldest(_ place: Int32, of lane: Lane) {
    guard let feed = release(place, of: lane) else { return }
    let share = lane[feed]
    if share.marker == Self.none {
      mark(place, dropped: 1)
      lane[feed].marker = place
      lane[feed].eventsBehindMarker = share.events
    } else {
      lane[feed].eventsBehindMarker -= 1
      count(at: share.marker)
      remove(place)
    }
  }

  /// Drops an event that has no newer one of its signal in the lane.
  mutating func dropNewest(_ place: Int32, of lane: Lane) {
    guard let feed = release(place, of: lane) else { return }
    let share = lane[feed]
    if share.marker != Self.none && share.eventsBehindMarker <= 1 {
      count(at: share.marker)
      remove(place)
    } else {
      mark(place, dropped: 1)
      lane[feed].marker = place
    }
    lane[feed].eventsBehindMarker = 0
  }

  /// Counts an event that is dropped without having been queued.
  mutating func dropIncoming(lane: Lane, feed: Feed) {
    lane.dropped += 1
    feed.losses.count += 1
    let share = lane[feed]
    if share.marker != Self.none && share.eventsBehindMarker == 0 { return count(at: share.marker) }
    append(.lagged(1), lane: lane, feed: feed)
    lane[feed].marker = lane.last
    lane[feed].eventsBehindMarker = 0
  }

  /// The oldest event of a lane, or the newest.
  func oldestEvent(of lane: Lane) -> Int32? { event(from: lane.first, by: \.nextOfLane) }

  func newestEvent(of lane: Lane) -> Int32? { event(from: lane.last, by: \.previousOfLane) }

  /// The oldest event of a lane whose signal has a newer one, either in here or in `incoming`.
  func oldestSupersededEvent(of lane: Lane, incoming: Feed?) -> Int32? {
    var place = lane.first
    while place != Self.none {
      let entry = self[place]
      if case .event = entry.content, let feed = entry.feed,
        feed === incoming || lane[feed].events > 1
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
  private func release(_ place: Int32, of lane: Lane) -> Feed? {
    let entry = self[place]
    lane.heldBytes -= entry.charge
    lane.dropped += 1
    if let remaining = lane.remaining { lane.remaining = remaining + 1 }
    guard let feed = entry.feed else { return nil }
    lane[feed].events -= 1
    feed.losses.count += 1
    return feed
  }

  private mutating func count(at marker: Int32) {
    if case .lagged(let dropped) = self[marker].content { mark(marker, dropped: dropped + 1) }
  }
}

/// The parts of a signal that have heard an input end, and hear it again when that is restarted.
struct EndedInputs {
  /// In the order in which they ended.
  private var hearings: [Hearing] = []
  /// How many have ended so far.
  private(set) var count = 0

  /// The number of one more that has ended.
  mutating func next() -> Int {
    count += 1
    return count
  }

  mutating func append(_ hearing: Hearing) { hearings.append(hearing) }

  mutating func remove(_ hearing: Hearing) { hearings.removeAll { $0 === hearing } }

  mutating func removeAll() { hearings = [] }

  /// Has those hear their inputs again that are computed from signals that start anew.
  ///
  /// - Returns: The bodies that have to be started for that.
  func rejoin(_ renewed: Set<String>) -> [RunningBody] { hearings.compactMap { $0.rejoin(renewed) } }

  /// Goes on from a saved state, in which this many had ended.
  mutating func restore(count: Int) { self.count = count }

  /// Puts them into the order in which they ended, once all are there.
  mutating func sort() { hearings.sort { ($0.registration ?? 0) < ($1.registration ?? 0) } }
}

internal import WireProtocol

/// The selection of a stream: the patterns, and the options of their subscriptions.
struct EventSelection {
  let patterns: [SignalPattern]
  var replay: UInt64?
  var `where`: String?
  var every: Interval?
  var overflow: OverflowRule?

  /// The most patterns of one stream.
  static let mostPatterns = 32

  /// Returns the request for one of the patterns, which resumes at the given positions.
  func request(_ index: Int, from section: EventPosition.Section) -> SubscribeRequest {
    let pattern = patterns[index]
    var request = SubscribeRequest(signal: pattern)
    // With several patterns, the label identifies the subscription of an event.
    if patterns.count > 1 { request.subscription = pattern.text }
    request.where = `where`
    request.every = every
    request.overflow = overflow
    request.timestamps = true
    if section.names.isEmpty {
      request.replay = replay
    } else if pattern.isName {
      request.from = .after(section[0].seq)
      request.epoch = section[0].epoch
    } else {
      let places = zip(section.names, section.places).map { name, place in
        (name, Continuation.Place(seq: place.seq, epoch: place.epoch))
      }
      request.from = .places(Dictionary(uniqueKeysWithValues: places))
    }
    return request
  }
}

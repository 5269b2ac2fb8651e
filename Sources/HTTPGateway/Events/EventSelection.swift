internal import WireProtocol

/// What a stream tells: the signals of some patterns, and how they are subscribed to.
struct EventSelection {
  let patterns: [SignalPattern]
  var replay: UInt64?
  var `where`: String?
  var every: Interval?
  var overflow: OverflowRule?

  /// The most patterns of one stream.
  static let mostPatterns = 32

  /// The request for one of the patterns, which goes on from a place where there is one.
  func request(_ index: Int, from section: EventPosition.Section) -> SubscribeRequest {
    let pattern = patterns[index]
    var request = SubscribeRequest(signal: pattern)
    // The label tells events of several patterns apart.
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

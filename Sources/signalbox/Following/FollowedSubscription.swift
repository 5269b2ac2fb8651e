internal import ClientCore
internal import WireProtocol

/// A subscription with its progress over all connections.
struct FollowedSubscription {
  let request: SubscribeRequest
  var progress: SubscriptionProgress
  /// True if values have been lost during an interruption that may or may not have been selected.
  var hasDoubts = false

  /// The most signals whose positions a request contains: more might not fit into a line.
  private static let mostPlaces = 200

  /// - Parameter countsValues: True if the request's `take` is counted here and not by the daemon.
  init(_ request: SubscribeRequest, countsValues: Bool) {
    progress = SubscriptionProgress(
      isPattern: !request.signal.isName, isThinned: request.where != nil || request.every != nil,
      replay: request.replay.map { Int(clamping: $0) }, wanted: countsValues ? request.take?.value : nil)
    var request = request
    if countsValues { request.take = nil }
    self.request = request
  }

  var isOver: Bool { progress.isOver }

  /// True if it is unknown which of the lost values were selected.
  var isVague: Bool { !request.signal.isName && progress.isThinned }

  /// Returns the request for a new connection.
  ///
  /// A pattern without a selection gets all that its signals retain: values received before are skipped, and missing ones
  /// are detected by their numbers.
  mutating func resumed() -> SubscribeRequest {
    let most = request.signal.isName ? .max : progress.isThinned ? Self.mostPlaces : 0
    let places = progress.places(atMost: most)
    var request = withoutPlaces
    if request.signal.isName, let place = places[request.signal.text] {
      request.from = .after(UInt64(place.seq))
      request.epoch = place.epoch
    } else if !places.isEmpty {
      request.from = .places(places.mapValues { Continuation.Place(seq: UInt64($0.seq), epoch: $0.epoch) })
    }
    return request
  }

  /// The request for all that is retained, from the second one on; the replay is complete by then, even if it did not
  /// include all of it.
  var withoutPlaces: SubscribeRequest {
    var request = request
    if progress.hasBegun { request.replay = nil }
    return request
  }
}

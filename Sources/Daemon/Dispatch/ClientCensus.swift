/// The counts of all clients.
struct ClientCensus {
  var count = 0
  /// How many were not let in so far.
  var turnedAway: UInt64 = 0
  /// The most that is held for one to read.
  var largestOutput = 0
  /// The most subscriptions that one has.
  var mostSubscriptions = 0
}

/// The counts of all clients.
struct ClientCensus {
  var count = 0
  /// The number of clients refused so far.
  var turnedAway: UInt64 = 0
  /// The largest pending output of a client, in bytes.
  var largestOutput = 0
  /// The most subscriptions of a client.
  var mostSubscriptions = 0
}

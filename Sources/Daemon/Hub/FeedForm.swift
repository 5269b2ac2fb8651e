/// How a subscription sees a signal: which of its events, when, and in which bytes.
struct FeedForm: Hashable {
  var label: String?
  var hasTimestamps = false
  /// The text of its `where`.
  var condition: String?
  var every: Duration?
  var heartbeat: Duration?

  /// Whether all who ask for it can share it; an `every` counts from each one's own first value.
  var isShared: Bool { every == nil }
}

import ReactiveCore

/// The number of a signal's values kept for new subscribers, and their greatest age.
struct RetentionPolicy: Sendable, Equatable {
  /// The greatest number of values; 0 keeps no values.
  var count = 0
  /// The age after which values are removed.
  var age: Duration?
}

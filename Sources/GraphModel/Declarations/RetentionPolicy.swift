import Signals

/// The number of a signal's values kept for new subscribers, and their greatest age.
package struct RetentionPolicy: Sendable, Equatable {
  /// The greatest number of values; 0 keeps no values.
  package var count = 0
  /// The age after which values are removed.
  package var age: Duration?

  package init(count: Int = 0, age: Duration? = nil) {
    self.count = count
    self.age = age
  }
}

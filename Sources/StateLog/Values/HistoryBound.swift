/// A limit of the history before the newest snapshot: by age, by size, or both.
package struct HistoryBound: Sendable, Equatable {
  /// The maximum age of commits.
  package let age: Duration?
  /// The maximum total size in bytes.
  package let size: Int?

  package init(age: Duration?, size: Int?) {
    self.age = age
    self.size = size
  }

  /// Returns true if the limit permits this age and total size.
  func keeps(_ age: Duration, size: Int) -> Bool { age <= self.age ?? age && size <= self.size ?? size }
}

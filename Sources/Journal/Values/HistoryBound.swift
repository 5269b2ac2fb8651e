/// A bound of the past that is kept behind the newest snapshot: by age, by size, or both.
package struct HistoryBound: Sendable, Equatable {
  /// The age beyond which commits go.
  package let age: Duration?
  /// The bytes that all that is kept may take.
  package let size: Int?

  package init(age: Duration?, size: Int?) {
    self.age = age
    self.size = size
  }

  /// Whether it keeps what is so old, while so many bytes are in use.
  func keeps(_ age: Duration, size: Int) -> Bool { age <= self.age ?? age && size <= self.size ?? size }
}

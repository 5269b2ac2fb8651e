/// A position in a stream: the number of a message, and the time at which the stream was made.
///
/// A stream that was made again counts from the first number, so that the number alone would name another message.
struct StreamPosition: Equatable, Sendable {
  let number: UInt64
  /// The time at which the stream was made, in nanoseconds since 1970; `nil` where it is not known, as in a position of an earlier version.
  let created: Int64?

  private static let mark: Character = "@"

  init(_ number: UInt64, created: Int64?) { (self.number, self.created) = (number, created) }

  /// Reads `NUMBER@CREATED`, or `NUMBER` as earlier versions have written it.
  init?(_ text: String) {
    let parts = text.split(separator: Self.mark, omittingEmptySubsequences: false)
    guard parts.count <= 2, let number = parts.first.flatMap({ UInt64($0) }) else { return nil }
    self.init(number, created: parts.count == 2 ? Int64(parts[1]) : nil)
  }

  var text: String { created.map { "\(number)\(Self.mark)\($0)" } ?? "\(number)" }

  /// True if it is none of a stream that was made at a time and whose last message has a number.
  func isForeign(created: Int64, last: UInt64) -> Bool {
    number > last || self.created.map { $0 != created } ?? false
  }
}

/// The starting point for reading a followed file.
package enum TailStart: Equatable, Sendable {
  /// The present end.
  case end
  /// The beginning.
  case beginning
  /// The place reached before.
  case place(TailPlace)
}

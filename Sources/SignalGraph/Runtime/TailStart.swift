/// Where to begin to read a file that is followed.
package enum TailStart: Equatable, Sendable {
  /// At its present end.
  case end
  /// At its beginning.
  case beginning
  /// Where it was read up to before.
  case place(TailPlace)
}

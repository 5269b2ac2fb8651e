extension SignalProducer where Value == Int {
  /// `count` whole numbers in a row, from `start` on; then it completes.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public static func range(start: Int, count: Int) -> SignalProducer {
    precondition(count >= 0, "a count cannot be negative")
    return SignalProducer(start..<(start + count))
  }
}

extension SignalProducer where Value == Int {
  /// The producer of `count` consecutive integers from `start` on.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public static func range(start: Int, count: Int) -> SignalProducer {
    precondition(count >= 0, "a count cannot be negative")
    return SignalProducer(start..<(start + count))
  }
}

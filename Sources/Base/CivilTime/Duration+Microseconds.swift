extension Duration {
  /// The duration in microseconds, rounded towards zero; at most some 290,000 years.
  package var wholeMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}

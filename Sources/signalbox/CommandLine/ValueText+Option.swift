extension ValueText {
  /// The option that prints strings as they are.
  static let option = Command.Option(name: "raw", letter: "r", doc: "print strings without quotes and escapes")
}

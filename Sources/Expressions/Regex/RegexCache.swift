/// The cache of an environment's recently used compiled patterns.
struct RegexCache {
  private struct Key: Hashable {
    let pattern: String
    let bits: UInt32
  }

  private static let capacity = 64

  private var compiled: [Key: RegularExpression] = [:]

  /// Returns the compiled pattern; `isNew` if it was compiled just now.
  mutating func expression(
    _ pattern: String, _ options: RegexOptions
  ) throws(ExpressionError) -> (RegularExpression, isNew: Bool) {
    let key = Key(pattern: pattern, bits: options.bits)
    if let expression = compiled[key] { return (expression, false) }
    let expression = try RegularExpression(pattern, options)
    if compiled.count >= Self.capacity { compiled.removeAll(keepingCapacity: true) }
    compiled[key] = expression
    return (expression, true)
  }
}

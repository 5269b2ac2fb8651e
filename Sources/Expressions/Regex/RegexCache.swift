internal import Base
internal import JSON

/// The cache of an environment's recently used compiled patterns.
struct RegexCache {
  private struct Key: Hashable {
    /// Told apart by its bytes: patterns that look alike need not match the same.
    let pattern: ExactText
    let bits: UInt32

    init(_ pattern: String, _ options: RegexOptions) { (self.pattern, bits) = (ExactText(pattern), options.bits) }
  }

  private static let capacity = 64
  /// The most patterns that an evaluation is charged for once.
  private static let mostCharged = 16

  private var compiled: [Key: RegularExpression] = [:]
  /// The patterns that the present evaluation has been charged for.
  private var charged: [Key] = []

  /// Begins an evaluation, which has been charged for nothing.
  mutating func beginEvaluation() { if !charged.isEmpty { charged.removeAll(keepingCapacity: true) } }

  /// Returns true if an evaluation is to be charged for a pattern: for its first use, or for each one of many patterns.
  mutating func charge(_ pattern: String, _ options: RegexOptions) -> Bool {
    let key = Key(pattern, options)
    if charged.contains(key) { return false }
    if charged.count < Self.mostCharged { charged.append(key) }
    return true
  }

  /// Returns the compiled pattern; `isNew` if it was compiled just now.
  mutating func expression(
    _ pattern: String, _ options: RegexOptions
  ) throws(ExpressionError) -> (RegularExpression, isNew: Bool) {
    let key = Key(pattern, options)
    if let expression = compiled[key] { return (expression, false) }
    let expression = try RegularExpression(pattern, options)
    if compiled.count >= Self.capacity { compiled.removeAll(keepingCapacity: true) }
    compiled[key] = expression
    return (expression, true)
  }
}

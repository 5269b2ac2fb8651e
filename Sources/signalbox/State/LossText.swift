/// The text about the state that a signal would lose.
enum LossText {
  /// Returns the line: `would forget g.sum: scan, 5 values held (changed)`.
  static func line(_ signal: String, memories: [String], values: Int, because reason: String) -> String {
    let held = values > 0 ? ["\(counted(values, "value")) held"] : []
    return "would forget \(signal): \((memories + held).joined(separator: ", ")) (\(reason))"
  }
}

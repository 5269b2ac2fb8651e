import JSON

extension Payload {
  /// Whether both are the same value: of the same bytes, or else equal when taken apart.
  func isSame(as other: Payload) -> Bool {
    if case .raw(let raw) = self, case .raw(let otherRaw) = other, raw.hasSameBytes(as: otherRaw) { return true }
    return value == other.value
  }
}

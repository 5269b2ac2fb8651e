package import JSON

extension Payload {
  /// Returns true if both are the same value, for most texts without decoding them.
  package func isSame(as other: Payload) -> Bool {
    if case .raw(let raw) = self, case .raw(let other) = other, let isSame = raw.isSame(as: other) { return isSame }
    return value == other.value
  }
}

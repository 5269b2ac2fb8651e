import JSON

extension Payload {
  /// Whether both are the same value, which can be told from most texts without taking them apart.
  func isSame(as other: Payload) -> Bool {
    if case .raw(let raw) = self, case .raw(let other) = other, let isSame = raw.isSame(as: other) { return isSame }
    return value == other.value
  }
}

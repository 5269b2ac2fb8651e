package import JSON

extension Payload {
  /// Returns true if the encoded value has at most `limit` bytes; one received as bytes was bounded as a line.
  @inlinable @inline(__always) package func isWithin(bytes limit: Int) -> Bool {
    if case .value(let value) = self { value.isWithin(bytes: limit) } else { true }
  }

  /// The approximate size of the encoded value in bytes.
  package var approximateSize: Int {
    switch self {
    case .raw(let raw): return raw.count
    case .value(let value):
      var left = Int.max
      _ = value.take(from: &left)
      return .max - left
    }
  }
}

extension JSONValue {
  @usableFromInline package func isWithin(bytes limit: Int) -> Bool {
    var left = limit
    return take(from: &left)
  }

  /// Subtracts its approximate size from what is left, and stops as soon as nothing is.
  fileprivate func take(from left: inout Int) -> Bool {
    switch self {
    case .null, .bool, .number: left -= 4
    case .string(let text): left -= text.utf8.count + 2
    case .verbatim(let verbatim): left -= verbatim.text.utf8.count
    case .array(let elements):
      left -= 2 + elements.count
      for element in elements where left >= 0 { _ = element.take(from: &left) }
    case .object(let object):
      if let size = object.flatTextSize {
        left -= size
        return left >= 0
      }
      left -= 2
      for member in object.members where left >= 0 {
        left -= member.key.utf8.count + 4
        _ = member.value.take(from: &left)
      }
    }
    return left >= 0
  }
}

internal import JSON

// A container is changed in place only if it is uniquely referenced, else it is copied first. So it is moved out of its
// value, which is null meanwhile, and put back after.
extension JSONValue {
  mutating func takeString() -> String? {
    guard let text = asString else { return nil }
    self = .null
    return text
  }

  mutating func takeArray() -> [JSONValue]? {
    guard case .array(let items) = self else { return nil }
    self = .null
    return items
  }

  mutating func takeObject() -> JSONObject? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }

  /// The bytes copied when a shared container is changed.
  var ownBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .array(let items): items.count * MemoryLayout<JSONValue>.stride
    // The index is copied too.
    case .object(let object): 4 * object.count * MemoryLayout<JSONObject.Member>.stride
    default: 0
    }
  }
}

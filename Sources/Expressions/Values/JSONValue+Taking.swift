internal import JSON

// A container that is to change in place must not be held by anyone else, else it is copied first. So it is taken out
// of its value, which is null meanwhile, and put back after.
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

  /// The bytes that are copied when a container is changed that someone else holds.
  var ownBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .array(let items): items.count * MemoryLayout<JSONValue>.stride
    // Their index is copied too.
    case .object(let object): 4 * object.count * MemoryLayout<JSONObject.Member>.stride
    default: 0
    }
  }
}

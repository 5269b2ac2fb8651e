extension JSONValue {
  /// Returns the value with `null` in place of each hidden string; keys stay.
  package func hiding(_ isHidden: (String) -> Bool) -> JSONValue {
    switch plain {
    case .string(let text): return isHidden(text) ? .null : self
    case .array(let elements): return .array(elements.map { $0.hiding(isHidden) })
    case .object(let object):
      let members = object.members.map { JSONObject.Member(key: $0.key, value: $0.value.hiding(isHidden)) }
      return .object(JSONObject(distinct: members))
    default: return self
    }
  }
}

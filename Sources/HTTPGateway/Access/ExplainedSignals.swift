internal import JSON

/// The names of the signals whose values an explanation may show.
enum ExplainedSignals {
  /// Members that contain values of signals, and thus no names.
  private static let values: Set<String> = ["value", "error", "remembered", "told"]

  /// Returns all names; `nil` if the explanation does not include the upstream of its signal.
  ///
  /// Remembered values appear without the names of their signals if their cause is unknown.
  static func names(in explanation: JSONObject) -> Set<String>? {
    guard case .array(let upstream)? = explanation["upstream"] else { return nil }
    var names: Set<String> = []
    for case .string(let name) in upstream { names.insert(name) }
    gather(.object(explanation), &names)
    return names
  }

  private static func gather(_ value: JSONValue, _ names: inout Set<String>) {
    switch value {
    case .array(let elements): for element in elements { gather(element, &names) }
    case .object(let object): for member in object.members { gather(member.key, member.value, in: object, &names) }
    default: break
    }
  }

  private static func gather(
    _ key: String, _ value: JSONValue, in object: JSONObject, _ names: inout Set<String>
  ) {
    if values.contains(key) { return }
    // Without a kind, `given` is the value itself, which was filtered out.
    if key == "given", object["kind"] == nil { return }
    if key == "signal", case .string(let text) = value {
      // A restart lists several names.
      names.formUnion(text.split(separator: ",").map { String($0.drop { $0 == " " }) })
    } else {
      gather(value, &names)
    }
  }
}

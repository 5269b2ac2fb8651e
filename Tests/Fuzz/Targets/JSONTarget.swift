import JSON

/// JSON texts: what is read, written and read again is the same value, and the same text from then on.
enum JSONTarget {
  static func run(_ bytes: [UInt8]) {
    var parser = JSONParser()
    var members: [JSONMember] = []
    let isObject = try? parser.readMembers(of: bytes.span, into: &members)
    let value: JSONValue
    do throws(JSONError) {
      value = try parser.value(of: bytes.span)
    } catch {
      require(isObject != true, "only valid objects have members")
      require((0...bytes.count).contains(error.offset), "an error is at a place in the text")
      return
    }
    if case .object = value { require(isObject == true, "the members of an object can be found") }
    let text = value.json
    guard let again = try? parser.value(of: text.span) else { fatalError("what is written can be read: \(value)") }
    require(again == value, "what is written is the same value: \(value)")
    require(again.json == text, "what is written is written alike: \(value)")
    require(again.hashValue == value.hashValue, "equal values have the same hash: \(value)")
    require(JSONValue.compare(again, value) == 0, "equal values have the same place in the order: \(value)")
  }
}

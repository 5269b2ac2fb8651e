import JSON

/// JSON texts: a value that is read, written and read again is equal, and its text is stable from then on.
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
    keep(bytes, as: value)
    let text = value.json
    guard let again = try? parser.value(of: text.span) else { fatalError("what is written can be read: \(value)") }
    require(again == value, "what is written is the same value: \(value)")
    require(again.json == text, "what is written is written alike: \(value)")
    require(again.hashValue == value.hashValue, "equal values have the same hash: \(value)")
    require(JSONValue.compare(again, value) == 0, "equal values have the same place in the order: \(value)")
  }

  /// A value with its text kept equals the parser's value.
  private static func keep(_ bytes: [UInt8], as value: JSONValue) {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let text = Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    var parser = JSONParser()
    var outline = Outline()
    require(parser.isValue(text.span, outline: &outline), "what can be read is valid")
    let kept = RawJSON(validated: text.span, outline: outline).value
    require(kept == value && value == kept, "what keeps its text is the same value: \(value)")
    require(kept.json == value.json, "what keeps its text is written alike: \(value)")
    guard case .object(let object) = kept, case .object(let members) = value else { return }
    require(object.count == members.count, "what keeps its text has as many members: \(value)")
    for member in members.members {
      require(object.value(of: MemberKey(member.key))?.json == member.value.json, "a member is the same: \(member)")
    }
  }
}

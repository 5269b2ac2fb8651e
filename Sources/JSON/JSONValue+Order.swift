internal import Base

// jq's order: null, false, true, numbers, strings by code points, arrays, objects (first by their sorted keys, then by
// the values in that order). Equality agrees with it; not a number is below every number, itself included, as in jq.

extension JSONValue: Comparable {
  package static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.verbatim(let verbatim), _): verbatim.value == other
    case (_, .verbatim(let verbatim)): one == verbatim.value
    default: false
    }
  }

  package static func < (one: JSONValue, other: JSONValue) -> Bool { compare(one, other) < 0 }

  /// Returns less than, equal to or greater than zero if one value sorts before, with or after another.
  package static func compare(_ one: JSONValue, _ other: JSONValue) -> Int {
    switch (one, other) {
    case (.verbatim(let verbatim), _): compare(verbatim.value, other)
    case (_, .verbatim(let verbatim)): compare(one, verbatim.value)
    case (.number(let one), .number(let other)): one < other || one.isNaN ? -1 : one == other ? 0 : 1
    case (.string(let one), .string(let other)): one.compareBytes(to: other)
    case (.array(let one), .array(let other)): compare(one, other)
    case (.object(let one), .object(let other)): compare(one, other)
    default: one.rank - other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool(let isTrue): isTrue ? 2 : 1
    case .number: 3
    case .string: 4
    case .array: 5
    case .object: 6
    case .verbatim(let verbatim): verbatim.value.rank
    }
  }

  private static func compare(_ one: [JSONValue], _ other: [JSONValue]) -> Int {
    for (element, otherElement) in zip(one, other) {
      let order = compare(element, otherElement)
      if order != 0 { return order }
    }
    return one.count - other.count
  }

  private static func compare(_ one: JSONObject, _ other: JSONObject) -> Int {
    let (members, otherMembers) = (one.sortedMembers, other.sortedMembers)
    for (member, otherMember) in zip(members, otherMembers) {
      let order = member.key.compareBytes(to: otherMember.key)
      if order != 0 { return order }
    }
    if members.count != otherMembers.count { return members.count - otherMembers.count }
    for (member, otherMember) in zip(members, otherMembers) {
      let order = compare(member.value, otherMember.value)
      if order != 0 { return order }
    }
    return 0
  }
}

extension JSONObject: Equatable {
  /// Returns true if equal keys have equal values, in any order.
  package static func == (one: JSONObject, other: JSONObject) -> Bool {
    if let text = one.text, let other = other.text, let isSame = text.isSame(as: other) { return isSame }
    return one.count == other.count && one.members.allSatisfy { other[$0.key] == $0.value }
  }

  /// The members in the order of their keys' code points.
  package var sortedMembers: [Member] { members.sorted { $0.key.compareBytes(to: $1.key) < 0 } }
}

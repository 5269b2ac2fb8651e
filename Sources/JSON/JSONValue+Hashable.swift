internal import Base

extension JSONValue: Hashable {
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let isTrue): hasher.combine(isTrue)
    case .number(let number): hasher.combine(number)
    case .string(let string): string.hashBytes(into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    case .verbatim(let verbatim): verbatim.value.hash(into: &hasher)
    }
  }
}

extension JSONObject: Hashable {
  package func hash(into hasher: inout Hasher) {
    // The order of members is irrelevant.
    var sum = 0
    for member in members {
      var memberHasher = Hasher()
      member.key.hashBytes(into: &memberHasher)
      memberHasher.combine(member.value)
      sum &+= memberHasher.finalize()
    }
    hasher.combine(sum)
  }
}

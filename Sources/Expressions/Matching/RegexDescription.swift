internal import JSON

/// Descriptions of matches as in jq: with offsets and lengths in characters.
///
/// Matches are in text order, so the count of characters continues from the previous match.
struct RegexDescription {
  private let search: RegexSearch
  private var countedBytes = 0
  private var countedCharacters = 0

  private static let stepsPerGroup = 6

  init(_ search: RegexSearch) { self.search = search }

  mutating func object(_ whole: Range<Int>, _ groups: RegexSearch.Groups) throws(ExpressionError) -> JSONValue {
    countedCharacters += search.part(countedBytes..<whole.lowerBound).unicodeScalars.count
    countedBytes = whole.lowerBound
    try search.environment.step(Self.stepsPerGroup * groups.count)
    var captures: [JSONValue] = []
    for (group, name) in zip(groups.dropFirst(), search.expression.names) {
      var capture = try description(of: group)
      capture["name"] = name.map { .string($0) } ?? .null
      captures.append(.object(capture))
    }
    var match = try description(of: whole)
    match["captures"] = .array(captures)
    return .object(match)
  }

  /// Describes a group; an unmatched one has the offset -1 and no string.
  private func description(of group: Range<Int>?) throws(ExpressionError) -> JSONObject {
    guard let group else { return ["offset": -1, "length": 0, "string": .null] }
    let distance = abs(group.lowerBound - countedBytes)
    try search.environment.charge(characters: group.count + distance)
    let part = search.part(group)
    return [
      "offset": .number(Double(position(of: group.lowerBound))),
      "length": .number(Double(part.unicodeScalars.count)), "string": .string(String(part)),
    ]
  }

  private func position(of byte: Int) -> Int {
    if byte < countedBytes { return countedCharacters - search.part(byte..<countedBytes).unicodeScalars.count }
    return countedCharacters + search.part(countedBytes..<byte).unicodeScalars.count
  }
}

extension RegexSearch {
  /// Returns an object of the named groups.
  func namedGroups(_ groups: Groups) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(expression.names.count)
    for (group, name) in zip(groups.dropFirst(), expression.names) {
      guard let name else { continue }
      members.append(JSONObject.Member(key: name, value: group.map { .string(String(part($0))) } ?? .null))
    }
    if expression.hasDistinctNames { return JSONObject(distinct: members) }
    var object = JSONObject()
    for member in members { object[member.key] = member.value }
    return object
  }
}

/// The members of a JSON object, in the order in which they were written; of equal keys the last one wins.
///
/// Few members are searched one by one; from 17 on there is an index.
package struct JSONObject: Sendable {
  package struct Member: Sendable {
    package let key: String
    package var value: JSONValue

    @inlinable package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package private(set) var members: [Member]

  /// The place of each key, where there are many.
  private var places: [KeyBytes: Int]?

  private static let mostUnindexed = 16

  package init() { members = [] }

  /// Takes members of which no two have the same key.
  package init(distinct members: [Member]) {
    self.members = members
    if members.count > Self.mostUnindexed { indexMembers() }
  }

  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a key; setting `nil` removes it, setting a new key appends it.
  package subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): remove(at: index)
      case (nil, let value?): append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  private func index(of key: String) -> Int? {
    if let places { return places[KeyBytes(key)] }
    return members.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  private mutating func append(_ member: Member) {
    members.append(member)
    if places != nil {
      places?[KeyBytes(member.key)] = members.count - 1
    } else if members.count > Self.mostUnindexed {
      indexMembers()
    }
  }

  private mutating func remove(at index: Int) {
    members.remove(at: index)
    if places != nil { indexMembers() }
  }

  private mutating func indexMembers() {
    guard members.count > Self.mostUnindexed else { return places = nil }
    var places = [KeyBytes: Int](minimumCapacity: members.count)
    for (index, member) in members.enumerated() { places[KeyBytes(member.key)] = index }
    self.places = places
  }
}

extension JSONObject {
  /// Gathers members of which most have a key of their own.
  struct Builder {
    private(set) var object = JSONObject()
    /// A bit for each key's hash so far: as long as a new key's bit is free, the key is new.
    private var seen: UInt64 = 0

    var isEmpty: Bool { object.isEmpty }

    init(capacity: Int) { object.members.reserveCapacity(capacity) }

    mutating func append(key: String, value: JSONValue) {
      let bit = Self.bit(of: key)
      if seen & bit == 0 {
        object.append(Member(key: key, value: value))
        seen |= bit
      } else {
        object[key] = value
      }
    }

    private static func bit(of key: String) -> UInt64 {
      var hash: UInt64 = 0
      for byte in key.utf8 { hash = hash &* 31 &+ UInt64(byte) }
      return 1 << (hash & 63)
    }
  }

  /// A key that is equal to another by its bytes alone.
  private struct KeyBytes: Hashable {
    let key: String

    init(_ key: String) { self.key = key }

    static func == (one: Self, other: Self) -> Bool { one.key.hasSameBytes(as: other.key) }

    func hash(into hasher: inout Hasher) { key.hashBytes(into: &hasher) }
  }
}

/// The members of a JSON object, in the order in which they were written; of equal keys the last one wins.
///
/// Few members are searched one by one; from 17 on there is an index. An object that came as text keeps it until
/// more than single members are asked for: most are filtered by one of them, or passed on.
package struct JSONObject: Sendable {
  package struct Member: Sendable {
    package let key: String
    package var value: JSONValue

    @inlinable package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, where there is no text.
  private var parts: [Member]
  private var aside: Aside?

  /// Parts that few objects have.
  private enum Aside {
    /// The place of each key, where there are many.
    case places([KeyBytes: Int])
    /// The text that the object was written as, if nothing has been changed.
    case text(RawJSON)
  }

  static let mostUnindexed = 16

  package init() { parts = [] }

  /// Takes members with different keys.
  package init(distinct members: [Member]) {
    parts = members
    indexParts()
  }

  /// An object that is taken apart only when more than single members of it are asked for.
  init(keeping text: RawJSON) {
    parts = []
    aside = .text(text)
  }

  /// The text that it is still kept as.
  package var text: RawJSON? { if case .text(let text)? = aside { text } else { nil } }

  /// The length of the text that it is still kept as, if no value in it is an array or an object.
  package var flatTextSize: Int? { text.flatMap { $0.isFlat ? $0.count : nil } }

  package var members: [Member] { text?.members ?? parts }
  package var count: Int { text?.memberCount ?? parts.count }
  package var isEmpty: Bool { count == 0 }

  /// The value of a key; setting `nil` removes it, setting a new key appends it.
  package subscript(key: String) -> JSONValue? {
    get { text == nil ? index(of: key).map { parts[$0].value } : value(of: MemberKey(key)) }
    set {
      takeApart()
      switch (index(of: key), newValue) {
      case (let index?, let value?): parts[index].value = value
      case (let index?, nil): remove(at: index)
      case (nil, let value?): append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The value of a key.
  package func value(of key: MemberKey) -> JSONValue? {
    switch aside {
    case .text(let text): return text.value(of: key)
    case .places(let places): return places[KeyBytes(key.name)].map { parts[$0].value }
    case nil:
      for index in parts.indices where key.matches(parts[index].key) { return parts[index].value }
      return nil
    }
  }

  private func index(of key: String) -> Int? {
    if case .places(let places)? = aside { return places[KeyBytes(key)] }
    return parts.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  /// Has the members in `parts`, where they can be changed.
  private mutating func takeApart() {
    guard let text else { return }
    aside = nil
    parts = text.members
  }

  private mutating func append(_ member: Member) {
    parts.append(member)
    if case .places(var places)? = aside {
      // Changed where it is, not in a copy.
      aside = nil
      places[KeyBytes(member.key)] = parts.count - 1
      aside = .places(places)
    } else if parts.count > Self.mostUnindexed {
      indexParts()
    }
  }

  private mutating func remove(at index: Int) {
    parts.remove(at: index)
    indexParts()
  }

  private mutating func indexParts() {
    guard parts.count > Self.mostUnindexed else { return aside = nil }
    var places = [KeyBytes: Int](minimumCapacity: parts.count)
    for (index, member) in parts.enumerated() { places[KeyBytes(member.key)] = index }
    aside = .places(places)
  }
}

extension JSONObject {
  /// Gathers members, most of which have a key of their own.
  struct Builder {
    private(set) var object = JSONObject()
    /// A bit for each key's hash so far: as long as a new key's bit is free, the key is new.
    private var seen: UInt64 = 0

    var isEmpty: Bool { object.isEmpty }

    init(capacity: Int) { object.parts.reserveCapacity(capacity) }

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

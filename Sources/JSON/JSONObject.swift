internal import Base

/// The members of a JSON object, in the order of the text; of equal keys the last one applies.
///
/// Few members are searched linearly; from 17 on there is an index. An object received as text keeps it until more than
/// single members are accessed: most are only filtered by one of them, or forwarded.
package struct JSONObject: Sendable {
  package struct Member: Sendable {
    package let key: String
    package var value: JSONValue

    @inlinable package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, if there is no text.
  private var parts: [Member]
  private var aside: Aside?

  /// The rarely used parts of an object.
  private enum Aside {
    /// The index of each key, if there are many.
    case places([ExactText: Int])
    /// The original text, if nothing has been changed.
    case text(RawJSON)
  }

  static let mostUnindexed = 16

  package init() { parts = [] }

  /// Creates an object of members with different keys.
  package init(distinct members: [Member]) {
    parts = members
    indexParts()
  }

  /// Creates an object that is parsed only when more than single members are accessed.
  init(keeping text: RawJSON) {
    parts = []
    aside = .text(text)
  }

  /// The original text, if unparsed.
  package var text: RawJSON? { if case .text(let text)? = aside { text } else { nil } }

  /// The length of the original text, if it is unparsed and no value in it is an array or an object.
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
    case .places(let places): return places[ExactText(key.name)].map { parts[$0].value }
    case nil:
      for index in parts.indices where key.matches(parts[index].key) { return parts[index].value }
      return nil
    }
  }

  /// The text of an object that is the value of a key, if that keeps its text.
  package func text(of key: MemberKey) -> RawJSON? {
    if aside == nil {
      for index in parts.indices where key.matches(parts[index].key) {
        if case .object(let object) = parts[index].value { return object.text }
        return nil
      }
      return nil
    }
    if case .object(let object)? = value(of: key) { return object.text }
    return nil
  }

  /// Replaces the value of the member at an index.
  package mutating func replaceValue(at index: Int, by value: JSONValue) {
    takeApart()
    parts[index].value = value
  }

  private func index(of key: String) -> Int? {
    if case .places(let places)? = aside { return places[ExactText(key)] }
    return parts.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  /// Parses the members into `parts`, where they can be changed.
  private mutating func takeApart() {
    guard let text else { return }
    aside = nil
    parts = text.members
  }

  private mutating func append(_ member: Member) {
    parts.append(member)
    if case .places(var places)? = aside {
      // Changed in place, not in a copy.
      aside = nil
      places[ExactText(member.key)] = parts.count - 1
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
    var places = [ExactText: Int](minimumCapacity: parts.count)
    for (index, member) in parts.enumerated() { places[ExactText(member.key)] = index }
    aside = .places(places)
  }
}

extension JSONObject {
  /// Collects members, most with distinct keys.
  struct Builder {
    private(set) var object = JSONObject()
    /// A bit for the hash of each key so far: if a new key's bit is clear, the key is new.
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
}

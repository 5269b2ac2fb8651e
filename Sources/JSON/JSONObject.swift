/// The members of a JSON object, in the order in which they were written; of equal keys the last one wins.
package struct JSONObject: Sendable {
  package struct Member: Sendable {
    package let key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package private(set) var members: [Member]

  package init() { members = [] }

  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a key; setting `nil` removes it, setting a new key appends it.
  package subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  private func index(of key: String) -> Int? {
    members.firstIndex { $0.key.hasSameBytes(as: key) }
  }
}

extension String {
  /// Whether two strings are the same bytes, where `==` also takes canonically equivalent ones for equal.
  package func hasSameBytes(as other: String) -> Bool {
    self == other && (utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8))
  }
}

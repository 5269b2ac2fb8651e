internal import CSimdjson

/// The place of one member of an object in its text.
package struct JSONMember: Sendable, Equatable {
  /// The bytes of the key between its quotes, with escapes unresolved.
  package let key: Range<Int>
  /// The bytes of the value, without white space around it.
  package let value: Range<Int>

  package init(key: Range<Int>, value: Range<Int>) {
    self.key = key
    self.value = value
  }

  init(_ member: csimdjson_member) {
    key = Int(member.key_start)..<Int(member.key_start + member.key_length)
    value = Int(member.value_start)..<Int(member.value_start + member.value_length)
  }
}

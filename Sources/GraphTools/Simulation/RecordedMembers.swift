package import JSON

/// The members of a recording's lines that are read, of one line after another.
package struct RecordedMembers {
  package enum Member: Int, CaseIterable {
    case event, reply, at, reason, signal, seq, value, error
  }

  private var values = MemberValues(of: Member.allCases.map { "\($0)" })

  package init() {}

  /// Reads another line.
  package mutating func read(_ line: JSONValue) throws(RecordingError) {
    guard case .object(let object) = line else { throw RecordingError("expected an object, found \(line.shown)") }
    values.read(object)
  }

  package subscript(member: Member) -> JSONValue? { values[member.rawValue] }

  func text(_ member: Member) throws(RecordingError) -> String? { try Self.text(self[member], "\(member)") }

  static func text(_ value: JSONValue?, _ name: @autoclosure () -> String) throws(RecordingError) -> String? {
    switch value {
    case nil: return nil
    case .string(let text): return text
    case let value?:
      if case .string(let text) = value.plain { return text }
      throw RecordingError("\"\(name())\" must be a string, not \(value.shown)")
    }
  }
}

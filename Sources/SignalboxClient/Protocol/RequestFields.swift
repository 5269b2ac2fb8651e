internal import FoundationEssentials

/// The members of a request; `nil` ones are omitted.
struct RequestFields: Encodable, Sendable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private var members: [(name: String, value: any Encodable & Sendable)] = []

  init(_ op: String) { self["op"] = op }

  /// Sets a member; reads as `nil`.
  subscript(name: String) -> (any Encodable & Sendable)? {
    get { nil }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append((name, newValue)) }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for member in members { try container.encode(member.value, forKey: Key(stringValue: member.name)) }
  }

  func line(id: Int) throws(SignalboxError) -> [UInt8] {
    var fields = self
    fields["id"] = id
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    do { return Array(try encoder.encode(fields)) + [UInt8(ascii: "\n")] } catch {
      throw .undecodable(error)
    }
  }
}

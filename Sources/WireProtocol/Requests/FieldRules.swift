internal import JSON

extension WireRequest {
  /// Requires exactly one of two fields.
  func requireOne(of one: (name: String, isGiven: Bool), _ other: (name: String, isGiven: Bool)) throws(WireError) {
    if one.isGiven && other.isGiven {
      throw WireError(.badRequest, "\"\(Self.op)\" takes either \"\(one.name)\" or \"\(other.name)\", not both")
    }
    if !one.isGiven && !other.isGiven {
      throw WireError(.badRequest, "\"\(Self.op)\" needs \"\(one.name)\" or \"\(other.name)\"")
    }
  }
}

extension String {
  /// The text in quotes, escaped and shortened for messages.
  package var quoted: String {
    let shown = unicodeScalars.count > 64 ? String(unicodeScalars.prefix(64).map(Character.init)) + "…" : self
    return JSONValue.string(shown).description
  }
}

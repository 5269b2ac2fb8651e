package import JSON

/// A line from a server, as clients read it.
package struct ServerLine: Sendable {
  package enum Kind: Sendable, Equatable {
    case reply(String)
    case event(String)
  }

  package let kind: Kind
  /// The line as received, without its end.
  package let text: [UInt8]
  private let members: [LineMember]

  /// Parses a line without its end.
  ///
  /// - Throws: `bad_json` for invalid JSON, `bad_request` for JSON that is neither a reply nor an event.
  package init(_ line: Span<UInt8>) throws(WireError) {
    var places: [JSONMember] = []
    do {
      _ = try JSONParser.readMembers(onThisThread: line, into: &places, maximumDepth: greatestMaximumDepth)
    } catch {
      throw WireError(error)
    }
    text = line.bytes(0..<line.count)
    var outline = Outline()
    members = [LineMember](of: line, at: places, noting: &outline)
    if let reply = Self.string("reply", in: members) {
      kind = .reply(reply)
    } else if let event = Self.string("event", in: members) {
      kind = .event(event)
    } else {
      throw WireError(.badRequest, "the line is neither a reply nor an event")
    }
  }

  /// A member in the server's notation.
  package subscript(key: String) -> RawJSON? { members.first { $0.key == key }?.text }

  package func string(_ key: String) -> String? { Self.string(key, in: members) }

  private static func string(_ key: String, in members: [LineMember]) -> String? {
    members.first { $0.key == key }.flatMap { String(field: $0.text) }
  }

  /// The id that a reply carries back.
  package var id: RequestID? { self["id"].map { RequestID(validated: $0.bytes) } }

  /// The error of a reply or the failure of a signal: code, message and further members.
  package var error: JSONObject? {
    guard case .object(let object)? = self["error"]?.value else { return nil }
    return object
  }

  /// The last events of a signal.
  package static let endings = ["completed", "failed", "interrupted"]

  package var isEnding: Bool { Self.endings.contains { kind == .event($0) } }

  /// True for an interruption that is not the end of the signal: the daemon stops, or a handover has failed for it.
  package var isTemporaryEnding: Bool {
    kind == .event("interrupted") && ["shutting_down", "restarted"].contains(string("reason"))
  }
}

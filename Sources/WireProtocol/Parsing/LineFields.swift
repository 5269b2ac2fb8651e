internal import Base
internal import JSON

/// The members of a request line, to be read by a declaration.
struct LineFields {
  private let members: [LineMember]

  /// - Parameter outline: is overwritten.
  init(_ line: Span<UInt8>, _ places: [JSONMember], _ outline: inout Outline) {
    members = [LineMember](of: line, at: places, noting: &outline)
  }

  func requestLine() throws(Refusal) -> RequestLine {
    var id: RequestID?
    var op: String?
    do throws(WireError) {
      op = try? self.op()
      id = try self.id()
      let name = try self.op()
      if let key = duplicateKey { throw WireError(.badRequest, "duplicate field \(key.quoted)") }
      guard let declaration = RequestDeclaration.named(name) else { throw RequestDeclaration.unknownOp(name) }
      return try declaration.requestLine(id: id, members.filter { $0.key != "op" && $0.key != "id" })
    } catch {
      throw Refusal(id: id, op: op, error)
    }
  }

  func id() throws(WireError) -> RequestID? {
    guard let text = members.first(where: { $0.key == "id" })?.text.bytes else { return nil }
    guard RequestID.isPossible(text[0]) else {
      throw WireError(.badRequest, "\"id\" must be a string or a number")
    }
    return RequestID(validated: text)
  }

  func op() throws(WireError) -> String {
    guard let text = members.first(where: { $0.key == "op" })?.text else {
      throw WireError(.badRequest, "missing field \"op\", as in {\"op\":\"list\"}")
    }
    guard let op = String(field: text) else { throw WireError(.badRequest, "\"op\" must be a string") }
    return op
  }

  private var duplicateKey: String? {
    // So few are compared faster than they are hashed.
    if members.count <= 16 {
      return members.indices.first { index in
        members[..<index].contains { $0.key.hasSameBytes(as: members[index].key) }
      }.map { members[$0].key }
    }
    var seen: Set<JSONValue> = []
    return members.first { !seen.insert(.string($0.key)).inserted }?.key
  }
}

internal import Base
internal import JSON

/// The declaration of an op, with its request type erased.
package struct RequestDeclaration: Sendable {
  package struct Field: Sendable {
    package let name: String
    package let expectation: String
    package let isRequired: Bool
    package let doc: String
  }

  package let type: any WireRequest.Type
  package let op: String
  package let summary: String
  package let fields: [Field]
  package let shorthand: [ShorthandField]
  package let needsID: Bool
  /// Creates the request from its fields: all but `op` and `id`, each once.
  let read: @Sendable ([LineMember]) throws(WireError) -> any WireRequest

  init<Body: WireRequest>(_ type: Body.Type) {
    self.type = type
    op = Body.op
    summary = Body.summary
    fields = Body.fields.map {
      Field(name: $0.name, expectation: $0.expectation, isRequired: $0.isRequired, doc: $0.doc)
    }
    shorthand = Body.shorthand
    needsID = Body.needsID
    read = { members throws(WireError) in try Body(members) }
  }

  /// The op, and each optional field as `op.field`, in the list of `hello`.
  package var capabilities: [String] { [op] + fields.filter { !$0.isRequired }.map { "\(op).\($0.name)" } }

  /// The shorthand form.
  package var usage: String {
    shorthand.reduce(op) { usage, part in
      switch part {
      case .word(let name), .rest(let name): usage + " " + name.uppercased()
      case .signalOrGraph: usage + " SIGNAL|GRAPH"
      }
    }
  }

  var explanation: JSONValue {
    [
      "op": .string(op), "summary": .string(summary), "shorthand": .string(usage),
      "fields": .array(
        fields.map {
          [
            "field": .string($0.name), "required": .bool($0.isRequired), "type": .string($0.expectation),
            "doc": .string($0.doc),
          ]
        }),
    ]
  }
}

extension WireRequest {
  /// Reads the fields and validates them.
  fileprivate init(_ members: [LineMember]) throws(WireError) {
    self.init()
    for member in members {
      guard let field = Self.fields.first(where: { $0.name.hasSameBytes(as: member.key) }) else {
        if member.key.hasPrefix("x_") { continue }
        throw Self.unknownField(member.key)
      }
      guard field.read(&self, member.text) else { throw Self.wrongValue(of: field, member.text) }
    }
    for field in Self.fields where field.isRequired && !members.contains(where: { $0.key == field.name }) {
      throw WireError(.badRequest, "missing field \"\(field.name)\" of \"\(Self.op)\": \(field.doc)")
    }
    try check()
  }

  private static func unknownField(_ name: String) -> WireError {
    let names = ["op", "id"] + fields.map(\.name)
    let hint =
      if let likely = Suggestion.likely(for: name, among: names) {
        "did you mean \"\(likely)\"?"
      } else {
        "the nearest is \"\(Suggestion.nearest(to: name, among: names) ?? "op")\""
      }
    return WireError(.badRequest, "\"\(op)\" has no field \(name.quoted); \(hint)")
  }

  private static func wrongValue(of field: RequestField<Self>, _ text: RawJSON) -> WireError {
    let came = String(decoding: text.bytes.prefix(64), as: UTF8.self) + (text.bytes.count > 64 ? "…" : "")
    return WireError(.badRequest, "\"\(field.name)\" must be \(field.expectationInstead(came)), not \(came)")
  }
}

internal import JSON

/// A request: its declaration, from which it is read, written and explained, and its fields.
package protocol WireRequest: Sendable {
  static var op: String { get }

  /// Its effect, in one sentence.
  static var summary: String { get }

  static var fields: [RequestField<Self>] { get }

  /// The words behind the op when a person types it.
  static var shorthand: [ShorthandField] { get }

  /// Whether it must have an `id`.
  static var needsID: Bool { get }

  /// A request whose fields are all yet to be read.
  init()

  /// Checks rules that concern several fields.
  func check() throws(WireError)
}

extension WireRequest {
  package static var fields: [RequestField<Self>] { [] }
  package static var shorthand: [ShorthandField] { [] }
  package static var needsID: Bool { false }
  package func check() throws(WireError) {}

  /// The line that asks for it.
  package func line(id: RequestID? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    appendLine(to: &bytes) { line in
      line.json.write(literal: "{\"op\":")
      line.json.write(Self.op)
      if let id { line.member("id", text: id.bytes) }
      for field in Self.fields { field.write(self, &line.json) }
    }
    return bytes
  }
}

/// A part of the line that a person types.
package enum ShorthandField: Sendable {
  /// A word that is the field's text.
  case word(String)
  /// A word that names a signal if it has a dot, else a graph.
  case signalOrGraph
  /// The rest of the line, which is JSON.
  case rest(String)
}

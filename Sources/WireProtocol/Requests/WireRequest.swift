internal import JSON

/// A request: its fields, and the declaration for parsing, encoding and explaining it.
package protocol WireRequest: Sendable {
  static var op: String { get }

  /// The effect, in one sentence.
  static var summary: String { get }

  static var fields: [RequestField<Self>] { get }

  /// The words after the op in shorthand.
  static var shorthand: [ShorthandField] { get }

  /// True if it must have an `id`.
  static var needsID: Bool { get }

  /// True if it affects other clients, so that it is executed even after its sender has disconnected.
  static var concernsOthers: Bool { get }

  /// Creates a request with unset fields.
  init()

  /// Validates rules that concern several fields.
  func check() throws(WireError)
}

extension WireRequest {
  package static var fields: [RequestField<Self>] { [] }
  package static var shorthand: [ShorthandField] { [] }
  package static var needsID: Bool { false }
  package static var concernsOthers: Bool { false }
  package func check() throws(WireError) {}

  /// Encodes the request line.
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

/// A part of a shorthand line.
package enum ShorthandField: Sendable {
  /// A word that is the field's text.
  case word(String)
  /// A word that names a signal if it contains a dot, otherwise a graph.
  case signalOrGraph
  /// The rest of the line, which is JSON.
  case rest(String)
}

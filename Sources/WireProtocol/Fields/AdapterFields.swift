import Base
package import JSON

/// A list of names, at least one.
package struct NameList: FieldValue, Equatable {
  package static var expectation: String { "an array of one string or more" }

  package let names: [String]

  init(_ names: [String]) { self.names = names }

  package init?(field: RawJSON) {
    guard case .array(let elements) = field.value, !elements.isEmpty else { return nil }
    var names: [String] = []
    for element in elements {
      guard case .string(let name) = element.plain else { return nil }
      names.append(name)
    }
    self.names = names
  }

  package func write(to writer: inout JSONWriter) { writer.write(.array(names.map { .string($0) })) }
}

/// An object with any members.
package struct Members: FieldValue {
  package static var expectation: String { "an object" }

  package let object: JSONObject

  package init?(field: RawJSON) {
    guard case .object(let object) = field.value else { return nil }
    self.object = object
  }

  package func write(to writer: inout JSONWriter) { writer.write(.object(object)) }
}

/// A number of seconds, 0 or more.
package struct Seconds: FieldValue, Equatable {
  package static var expectation: String { "a number of seconds, 0 or more" }

  package let value: Double

  /// The duration; at most a thousand days.
  package var duration: Duration { .seconds(min(value, 86_400_000)) }

  package init?(field: RawJSON) {
    guard case .number(let number) = field.value.plain, number >= 0, number.isFinite else { return nil }
    value = number
  }

  package func write(to writer: inout JSONWriter) { writer.write(.number(value)) }
}

/// Bytes in Base64 (RFC 4648), with padding.
package struct Base64Text: FieldValue, Equatable {
  package static var expectation: String { "a string of Base64, with padding" }

  package let text: String
  package let bytes: [UInt8]

  package init?(field: RawJSON) {
    guard let text = String(field: field), let bytes = Base64.bytes(of: text) else { return nil }
    self.text = text
    self.bytes = bytes
  }

  package func write(to writer: inout JSONWriter) { writer.write(text) }
}

/// The failure of a task or a source, in an adapter's words.
package struct PeerFailure: FieldValue, Equatable {
  package static var expectation: String {
    "an object {\"code\": string, \"message\": string, \"status\": whole number}; only the code is required"
  }

  package let code: String
  package let message: String
  /// The status of an answer.
  package let status: Int32?

  package init?(field: RawJSON) {
    guard case .object(let object) = field.value, case .string(let code)? = object["code"]?.plain else { return nil }
    guard case .string(let message) = object["message"]?.plain ?? "" else { return nil }
    guard object.members.allSatisfy({ ["code", "message", "status"].contains($0.key) }) else { return nil }
    self.code = code
    self.message = message
    guard let status = object["status"] else {
      self.status = nil
      return
    }
    guard case .number(let number) = status.plain, let whole = Int32(exactly: number) else { return nil }
    self.status = whole
  }

  package func write(to writer: inout JSONWriter) {
    var object: JSONObject = ["code": .string(code), "message": .string(message)]
    if let status { object["status"] = .number(Double(status)) }
    writer.write(.object(object))
  }
}

/// The position of a source, as its adapter names it.
package struct SourcePosition: FieldValue, Equatable {
  package static var expectation: String { "a string of at most \(longest) bytes" }

  package static let longest = 4_096

  package let text: String

  package init?(field: RawJSON) {
    guard let text = String(field: field), text.utf8.count <= Self.longest else { return nil }
    self.text = text
  }

  package func write(to writer: inout JSONWriter) { writer.write(text) }
}

package import JSON

/// The failure of a signal: a code for programs and a message for people.
///
/// It is a class so that the many requests that have none are copied quickly.
package final class Failure: FieldValue, Equatable {
  package static var expectation: String { "an object {\"code\": string, \"message\": string}" }

  package let code: String
  package let message: String

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  package convenience init?(field: RawJSON) {
    guard case .object(let object) = field.value, case .string(let code)? = object["code"]?.plain else { return nil }
    guard case .string(let message) = object["message"]?.plain ?? "" else { return nil }
    guard object.members.allSatisfy({ $0.key == "code" || $0.key == "message" }) else { return nil }
    self.init(code: code, message: message)
  }

  package static func == (one: Failure, other: Failure) -> Bool {
    one.code.hasSameBytes(as: other.code) && one.message.hasSameBytes(as: other.message)
  }

  package var value: JSONValue { ["code": .string(code), "message": .string(message)] }

  package func write(to writer: inout JSONWriter) { writer.write(value) }
}

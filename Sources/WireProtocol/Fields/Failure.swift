internal import Base
package import JSON

/// The failure of a signal: a code for programs and a message for users.
///
/// It is a class so that requests, which rarely have one, are copied quickly.
package final class Failure: FieldValue, Equatable {
  package static var expectation: String { "an object {\"code\": string, \"message\": string}" }

  package let code: String
  package let message: String

  /// The status of an answer, in an adapter's words.
  package let status: Int32?

  package init(code: String, message: String, status: Int32? = nil) {
    self.code = code
    self.message = message
    self.status = status
  }

  package convenience init?(field: RawJSON) {
    guard case .object(let object) = field.value, case .string(let code)? = object["code"]?.plain else { return nil }
    guard case .string(let message) = object["message"]?.plain ?? "" else { return nil }
    guard object.members.allSatisfy({ ["code", "message", "status"].contains($0.key) }) else { return nil }
    guard let status = object["status"] else {
      self.init(code: code, message: message)
      return
    }
    guard case .number(let number) = status.plain, let whole = Int32(exactly: number) else { return nil }
    self.init(code: code, message: message, status: whole)
  }

  package static func == (one: Failure, other: Failure) -> Bool {
    one.code.hasSameBytes(as: other.code) && one.message.hasSameBytes(as: other.message)
      && one.status == other.status
  }

  package var value: JSONValue {
    var object: JSONObject = ["code": .string(code), "message": .string(message)]
    if let status { object["status"] = .number(Double(status)) }
    return .object(object)
  }

  package func write(to writer: inout JSONWriter) { writer.write(value) }
}

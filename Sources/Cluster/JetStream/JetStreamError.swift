internal import JSON

/// An error in a reply of JetStream.
package struct JetStreamError: Error, Equatable, Sendable {
  /// The class of the error, with the numbers of HTTP.
  package let status: Int
  /// The number of the error, which says what is wrong.
  package let code: Int
  package let description: String

  package static let noMessage = 10037
  package static let streamDiffers = 10058
  package static let noStream = 10059
  /// The end of the stream is not the expected one; the second number comes without the true end.
  package static let wrongLastSequence = [10071, 10164]

  init?(_ reply: JSONObject) {
    guard let error = reply.nested("error") else { return nil }
    status = error.integer("code") ?? 0
    code = error.integer("err_code") ?? 0
    description = error.string("description") ?? ""
  }

  /// The end of the stream that a refusal names.
  var lastSequence: UInt64? { description.split(separator: " ").last.flatMap { UInt64($0) } }
}

extension JSONObject {
  func string(_ key: String) -> String? { if case .string(let text)? = self[key]?.plain { text } else { nil } }

  func integer<Number: BinaryInteger>(_ key: String) -> Number? {
    if case .number(let number)? = self[key]?.plain { Number(exactly: number) } else { nil }
  }

  func nested(_ key: String) -> JSONObject? { if case .object(let object)? = self[key] { object } else { nil } }
}

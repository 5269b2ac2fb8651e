import Expressions
import GraphModel
import JSON

/// The evaluation of a request's expressions for the value of one call.
struct RequestEvaluation {
  private let value: JSONValue
  private let environment: Environment
  private let engine: GraphEngine

  init(_ value: JSONValue, of action: String, _ engine: GraphEngine) {
    self.value = value
    self.engine = engine
    environment = engine.callEnvironment(variables: [.string(action)])
  }

  /// Returns the first output of an expression.
  func first(of expression: GraphExpression, _ name: String) throws(SignalFailure) -> JSONValue? {
    do throws(ExpressionError) {
      return try engine.first(of: expression, for: value, in: environment)
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: "\(name): \(error.message)")
    }
  }

  /// Returns the members of a query; those that are null are left out.
  func query(_ expression: GraphExpression) throws(SignalFailure) -> JSONObject {
    guard case .object(let object)? = try first(of: expression, "query")?.plain else {
      throw .badValue("query: a query is an object")
    }
    var query = JSONObject()
    for member in object.members {
      switch member.value.plain {
      case .null: continue
      case .array(let elements) where elements.allSatisfy(\.isScalar): query[member.key] = member.value
      case .string, .number, .bool: query[member.key] = member.value
      default:
        throw .badValue("query: \"\(member.key)\" is neither a text, a number, a boolean nor a list of these")
      }
    }
    return query
  }

  /// Returns the headers; those that are null are left out.
  func headers(_ expressions: HeaderExpressions?) throws(SignalFailure) -> RequestHeaders {
    var headers = RequestHeaders()
    for (name, expression) in expressions?.headers ?? [] {
      guard let value = try first(of: expression, "headers, \(name)")?.plain, value.isScalar || value.isNull else {
        throw .badValue("headers: \"\(name)\" is neither a text, a number nor a boolean")
      }
      guard let text = value.scalarText else { continue }
      if let problem = HeaderRules.problem(inValue: text) { throw .badValue("headers: \"\(name)\": \(problem)") }
      headers.values[name] = .string(text)
    }
    return headers
  }

  /// Returns an object as the text of a form.
  func form(_ expression: GraphExpression) throws(SignalFailure) -> String {
    guard case .object(let object)? = try first(of: expression, "form")?.plain else {
      throw .badValue("form: a form is an object")
    }
    var fields: [String] = []
    for member in object.members {
      let values: [JSONValue] = if case .array(let elements) = member.value.plain { elements } else { [member.value] }
      for value in values {
        guard value.isScalar || value.isNull else {
          throw .badValue("form: \"\(member.key)\" is neither a text, a number, a boolean nor a list of these")
        }
        if let text = value.scalarText { fields.append("\(member.key.formEncoded)=\(text.formEncoded)") }
      }
    }
    return fields.joined(separator: "&")
  }
}

/// The computed headers of a request.
struct RequestHeaders {
  var values = JSONObject()

  /// The type of the body, if a header gives it.
  var contentType: JSONValue? { values.members.first { $0.key.lowercased() == "content-type" }?.value }
}

extension JSONValue {
  fileprivate var isNull: Bool { if case .null = plain { true } else { false } }

  /// True for a text, a number or a boolean.
  fileprivate var isScalar: Bool {
    switch plain {
    case .string, .number, .bool: true
    default: false
    }
  }

  /// The text of a scalar, as its sender wrote it; `nil` for others.
  fileprivate var scalarText: String? {
    switch plain {
    case .string(let text): text
    case .number, .bool: description
    default: nil
    }
  }
}

extension String {
  /// The text as a form has it: a space is a plus sign.
  fileprivate var formEncoded: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte == UInt8(ascii: " ") {
        bytes.append(UInt8(ascii: "+"))
      } else if byte.isUnreserved {
        bytes.append(byte)
      } else {
        bytes += byte.percentEncoded
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

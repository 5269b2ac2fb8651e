internal import JSON
internal import WireProtocol

/// The value of a webhook's request: its parsed body with its headers.
enum HookValue {
  static func value(of request: HTTPRequest, for hook: Webhook) throws(Problem) -> JSONValue {
    let type = HTTPMedia.type(of: request)
    let body: JSONValue
    if type == "application/json" || type.hasSuffix("+json") {
      body = try JSONValue(body: request.body)
    } else if type == "application/x-www-form-urlencoded" {
      body = .object(FormText.members(of: request.body))
    } else {
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Problem(422, ErrorCode.badValue.rawValue, "the text is not valid UTF-8")
      }
      body = .string(text)
    }
    return [
      "hook": .string(hook.name), "type": .string(type), "headers": headers(of: request, for: hook), "body": body,
    ]
  }

  /// Returns the headers by their lower-case names, without credentials.
  private static func headers(of request: HTTPRequest, for hook: Webhook) -> JSONValue {
    let secret: Set<String> = [hook.header.lowercased(), "authorization", "cookie", "proxy-authorization"]
    var headers = JSONObject()
    for (name, value) in request.headers where !secret.contains(name.lowercased()) {
      headers[name.lowercased()] = .string(value)
    }
    return .object(headers)
  }
}

/// The parser of form data (`application/x-www-form-urlencoded`).
enum FormText {
  /// Returns the fields; a repeated one becomes a list.
  static func members(of bytes: [UInt8]) -> JSONObject {
    var members = JSONObject()
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let name = decoded(pair.prefix { $0 != UInt8(ascii: "=") })
      let value = JSONValue.string(decoded(pair.drop { $0 != UInt8(ascii: "=") }.dropFirst()))
      switch members[name] {
      case .array(let values)?: members[name] = .array(values + [value])
      case let first?: members[name] = .array([first, value])
      case nil: members[name] = value
      }
    }
    return members
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        if digits.utf8.count == 2, let number = UInt8(digits, radix: 16) {
          decoded.append(number)
          rest = rest.dropFirst(2)
        } else {
          decoded.append(byte)
        }
      default: decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }
}

internal import JSON
internal import WireProtocol

/// The OpenAPI 3.1 description of the routes, generated from their declarations.
enum OpenAPIDocument {
  static func value(of routes: [Route]) -> JSONValue {
    var paths = JSONObject()
    for route in routes {
      var path = paths.object(route.path)
      if !route.pathParameters.isEmpty { path["parameters"] = .array(route.pathParameters) }
      for method in route.methods { path[method.lowercased()] = operation(route, method) }
      paths[route.path] = .object(path)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "signalbox-http", "version": "1", "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
        "summary": "Signals over HTTP.",
        "description": "Names, values and errors are those of the wire protocol.",
      ],
      "servers": [["url": "/"]], "paths": .object(paths),
      "components": [
        "securitySchemes": [
          "bearer": ["type": "http", "scheme": "bearer"],
          "address": [
            "type": "apiKey", "in": "query", "name": "token",
            "description": "with GET, for clients that cannot set headers",
          ],
        ],
        "schemas": ["Problem": problem],
      ],
    ]
  }

  private static let problem: JSONValue = [
    "type": "object", "required": ["type", "title", "status", "code", "detail"],
    "properties": [
      "type": ["type": "string", "format": "uri"], "title": ["type": "string"], "status": ["type": "integer"],
      "code": ["type": "string"], "detail": ["type": "string"],
    ],
  ]

  private static func content(_ type: String) -> JSONValue {
    let anything: JSONValue = ["schema": .object(JSONObject())]
    return .object(JSONObject([(type, anything)]))
  }

  private static func operation(_ route: Route, _ method: String) -> JSONValue {
    var operation: JSONObject = [
      "operationId": .string(route.operationID(method)), "summary": .string(route.summary),
      "security": route.access == .granted ? [["bearer": []], ["address": []]] : [],
    ]
    if !route.parameters.isEmpty { operation["parameters"] = .array(route.parameters.map(parameter)) }
    if let body = route.body {
      operation["requestBody"] = [
        "description": .string(body.doc), "content": content(body.type),
      ]
    }
    var answers = JSONObject()
    for answer in route.answers {
      var object: JSONObject = ["description": .string(answer.doc)]
      if let type = answer.type { object["content"] = content(type) }
      answers["\(answer.status)"] = .object(object)
    }
    let codes = route.problems.isEmpty ? "" : ": " + route.problems.joined(separator: ", ")
    answers["default"] = [
      "description": .string("a problem" + codes),
      "content": [
        "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]
      ],
    ]
    operation["responses"] = .object(answers)
    return .object(operation)
  }

  private static func parameter(_ parameter: RouteParameter) -> JSONValue {
    var object: JSONObject = [
      "name": .string(parameter.name), "in": .string(parameter.place.rawValue), "description": .string(parameter.doc),
      "required": .bool(parameter.isRequired),
    ]
    object["schema"] =
      parameter.isRepeated ? ["type": "array", "items": ["type": "string"]] : ["type": "string"]
    if parameter.isRepeated { object["explode"] = true }
    return .object(object)
  }
}

extension Route {
  fileprivate var pathParameters: [JSONValue] {
    guard path.contains("{name}") else { return [] }
    return [["name": "name", "in": "path", "required": true, "schema": ["type": "string"]]]
  }

  /// Returns a unique name for each method and path: `getSignalsName`.
  fileprivate func operationID(_ method: String) -> String {
    let words = path.split { "/{}.".contains($0) }
    return method.lowercased()
      + (words.isEmpty ? ["Page"] : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }).joined()
  }
}

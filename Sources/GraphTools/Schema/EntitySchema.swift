import GraphModel
import JSON

extension Schema {
  /// The schema of what Home Assistant is told of a signal.
  static var entity: JSONValue {
    let components = choice(EntityComponent.allCases.map(\.rawValue))
    var members: JSONObject = [
      "component": components, "options": ["type": "array", "items": ["type": "string"]], "press": [:],
    ]
    for key in Entity.texts { members[key] = ["type": "string"] }
    for key in Entity.numbers { members[key] = orPlaceholder(["type": "number"]) }
    return ["anyOf": [components, object(members)]]
  }
}

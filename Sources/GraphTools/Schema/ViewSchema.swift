import GraphModel
import JSON

/// The schema of a view.
enum ViewSchema {
  static var view: JSONValue {
    Schema.object(
      [
        "title": title("The title; default: the name."), "doc": Schema.text("A description of the view."),
        "show": [
          "type": "array", "minItems": 1, "items": ["anyOf": [["type": ["string", "number"]], entry]],
          "description": "Signals and actions: their full names, patterns of names, or how they are shown.",
        ],
      ], required: ["show"])
  }

  private static func title(_ description: String) -> JSONValue {
    Schema.described(["type": ["string", "number", "boolean"]], description)
  }

  private static var entry: JSONValue {
    let number = Schema.orPlaceholder(["type": "number"])
    let entry = Schema.object(
      [
        "signal": Schema.text("The full name of the signal or the action, or a pattern of names."),
        "signals": [
          "type": "array", "minItems": 1, "maxItems": 8, "items": ["type": ["string"]],
          "description": "Signals with numbers or booleans that one plot shows together: full names, patterns.",
        ],
        "as": Schema.described(
          Schema.choice(ViewDeclaration.Form.allCases.map(\.rawValue)), "The form; default: by its type."),
        "title": title("The title, in which * is what it is in the pattern; default: the name without its graph."),
        "period": Schema.described(Schema.reference("duration"), "The period of a plot. Default: 1h."),
        "minimum": Schema.described(number, "The least number of a slider, a gauge or a plot."),
        "maximum": Schema.described(number, "The greatest number of a slider, a gauge or a plot."),
        "press": ["description": "The value that a button sends. Default: true."],
      ])
    guard case .object(var members) = entry else { return entry }
    members["oneOf"] = [["required": ["signal"]], ["required": ["signals"]]]
    return .object(members)
  }
}

import GraphModel
import JSON

/// The schema of the parameters of an operator or a source.
enum ParameterSchema {
  /// - Parameter standsAlone: True when the word needs no parameter.
  static func argument(_ parameters: [ParameterDescription], standsAlone: Bool) -> JSONValue {
    let inside = parameters.filter(\.isInside)
    var forms: [JSONValue] = standsAlone ? [["type": "null"]] : []
    if let only = inside.first(where: { $0.form == "only" }) {
      forms.append(value(of: only))
    } else if !inside.isEmpty {
      if let plain = inside.first(where: { $0.form == "plain" }) { forms.append(value(of: plain)) }
      let members = inside.map { ($0.name, value(of: $0)) }
      forms.append(
        Schema.object(JSONObject(members), required: inside.filter(\.isRequired).map(\.name)))
    }
    return forms.count == 1 ? forms[0] : ["anyOf": .array(forms)]
  }

  /// Returns the schema of one parameter's value, with its description.
  static func value(of parameter: ParameterDescription) -> JSONValue {
    var meaning = parameter.meaning.prefix(1).uppercased() + parameter.meaning.dropFirst() + "."
    if let initial = parameter.initial { meaning += " Default: \(initial)." }
    return Schema.described(schema(of: parameter.shape, parameter.bounds), meaning)
  }

  private static func schema(of shape: ParameterShape, _ bounds: ClosedRange<Int>?) -> JSONValue {
    switch shape {
    case .duration: return Schema.reference("duration")
    case .integer: return Schema.orPlaceholder(integer(bounds))
    case .number: return Schema.orPlaceholder(["type": "number"])
    case .boolean: return Schema.boolean
    case .text: return ["type": ["string", "number", "boolean"]]
    case .expression: return Schema.reference("expression")
    case .expressions: return ["type": "object", "additionalProperties": Schema.reference("expression")]
    case .value, .target, .other: return [:]
    case .values: return ["type": "array"]
    case .texts: return texts
    case .presence: return Schema.orPlaceholder(["const": true])
    case .choice(let words):
      // YAML parses a bare null as an empty value, which is that word.
      return words.contains("null") ? Schema.orNothing(Schema.choice(words)) : Schema.choice(words)
    case .valueType: return Schema.reference("type")
    case .signal: return Schema.reference("reference")
    case .signals:
      let signal = Schema.reference("reference")
      return [
        "anyOf": [
          ["type": "array", "items": signal, "minItems": 1],
          ["type": "object", "additionalProperties": signal, "minProperties": 1],
        ]
      ]
    case .cases: return ["type": "object", "additionalProperties": Schema.reference("reference"), "minProperties": 1]
    case .textOrTexts: return ["anyOf": [schema(of: .text, bounds), schema(of: .texts, bounds)]]
    case .matches:
      return [
        "type": "object", "additionalProperties": schema(of: .textOrTexts, bounds), "minProperties": 1,
        "propertyNames": ["pattern": "^(?!__)[A-Z_][A-Z0-9_]{0,63}$"],
      ]
    case .integerOrText: return ["anyOf": [schema(of: .integer, bounds), schema(of: .text, bounds)]]
    case .lineFormat: return lineFormat
    case .multiline:
      return [
        "anyOf": [
          Schema.reference("expression"),
          Schema.object(
            ["begins": Schema.reference("expression"), "wait": Schema.reference("duration")], required: ["begins"]),
        ]
      ]
    case .pipe: return Schema.reference("pipe")
    case .callBatch:
      return Schema.object([
        "count": Schema.orPlaceholder(integer(1...100_000)), "time": Schema.reference("duration"),
        "bytes": Schema.reference("size"),
      ])
    case .entity: return Schema.entity
    case .action: return ["type": "string"]
    case .callRetry:
      let times: JSONValue = ["anyOf": [Schema.orPlaceholder(integer(1...100_000)), ["const": "forever"]]]
      let members: JSONObject = [
        "times": times, "delay": Schema.reference("duration"), "backoff": Schema.orPlaceholder(["type": "number"]),
        "factor": Schema.described(Schema.orPlaceholder(["type": "number"]), "The old name of backoff."),
        "max_delay": Schema.reference("duration"),
        "on": ["type": "array", "items": ["type": ["string", "integer"]], "minItems": 1],
      ]
      return ["anyOf": [times, Schema.object(members, required: ["times"])]]
    }
  }

  /// The schema of a line format.
  static let lineFormat: JSONValue = [
    "anyOf": [
      Schema.choice(LineFormat.words),
      Schema.object(
        [
          "csv": [
            "anyOf": [
              texts,
              Schema.object([
                "columns": Schema.described(texts, "The column names; by default the first line."),
                "separator": ["type": "string", "description": "The character between two fields. Default: a comma."],
              ]),
            ]
          ]
        ], required: ["csv"]),
      Schema.object(
        [
          "regex": ["type": "string", "description": "A regular expression; its named groups make an object."],
          "unmatched": Schema.described(
            Schema.choice(LinePattern.Unmatched.allCases.map(\.rawValue)),
            "What becomes of a line without a match: it is an error, skipped, or emitted as a string. Default: error."),
        ], required: ["regex"]),
    ]
  ]

  static let texts: JSONValue = [
    "type": "array", "items": ["type": ["string", "number", "boolean"]], "minItems": 1,
  ]

  private static func integer(_ bounds: ClosedRange<Int>?) -> JSONValue {
    var integer: JSONObject = ["type": "integer"]
    if let bounds {
      integer["minimum"] = .number(Double(bounds.lowerBound))
      if bounds.upperBound != .max { integer["maximum"] = .number(Double(bounds.upperBound)) }
    }
    return .object(integer)
  }
}

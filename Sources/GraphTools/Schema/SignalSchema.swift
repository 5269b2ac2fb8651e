import GraphCatalogue
import GraphModel
import JSON

/// The schemas of a signal and of its pipe, from the catalogue.
enum SignalSchema {
  static var signal: JSONValue {
    var properties = JSONObject()
    for source in Catalogue.sources {
      let argument = ParameterSchema.argument(source.parameters, standsAlone: source.standsAlone)
      // A trait's key is also a source: both are accepted.
      let trait = traits.first { $0.0 == source.name }?.1
      let described = Schema.described(argument, source.summary)
      properties[source.name] = trait.map { ["anyOf": [described, $0]] } ?? described
      for parameter in source.parameters where parameter.isBeside {
        // One key may have several meanings, depending on the source.
        let value = ParameterSchema.value(of: parameter)
        properties[parameter.name] = properties[parameter.name].map { ["anyOf": [$0, value]] } ?? value
      }
    }
    properties["pipe"] = Schema.reference("pipe")
    for (name, trait) in traits where Catalogue.source(named: name) == nil { properties[name] = trait }
    guard case .object(var signal) = Schema.object(properties) else { return [:] }
    signal["oneOf"] = .array(Catalogue.sources.map(choice))
    signal["dependencies"] = .object(dependencies)
    return .object(signal)
  }

  /// Matches a signal with this source, as opposed to a trait or a parameter of that name.
  private static func choice(_ source: SourceDeclaration) -> JSONValue {
    let others = Catalogue.sources.filter { other in
      other.name != source.name && (source.isTraitBesideOthers || other.hasBeside(source.name))
    }
    guard !others.isEmpty else { return having(source) }
    return ["required": [.string(source.name)], "not": ["anyOf": .array(others.map(having))]]
  }

  /// Matches an object with a source's key, unless the value makes it a trait.
  private static func having(_ source: SourceDeclaration) -> JSONValue {
    let required: JSONValue = [.string(source.name)]
    guard source.isTraitUnlessMapping else { return ["required": required] }
    return ["required": required, "properties": .object([source.name: ["type": "object"]])]
  }

  /// The sources that require each additional key.
  private static var dependencies: JSONObject {
    var owners: [(String, [String])] = []
    for source in Catalogue.sources {
      for parameter in source.parameters where parameter.isBeside && Catalogue.source(named: parameter.name) == nil {
        if let index = owners.firstIndex(where: { $0.0 == parameter.name }) {
          owners[index].1.append(source.name)
        } else {
          owners.append((parameter.name, [source.name]))
        }
      }
    }
    return JSONObject(
      owners.map { name, sources in
        (name, ["anyOf": .array(sources.map { ["required": [.string($0)]] })])
      })
  }

  static var pipe: JSONValue {
    let alone = Catalogue.operators.filter(\.standsAlone).map { declaration -> JSONValue in
      ["const": .string(declaration.name), "description": .string(declaration.summary)]
    }
    let members = Catalogue.operators.map { declaration in
      (
        declaration.name,
        Schema.described(
          ParameterSchema.argument(declaration.parameters, standsAlone: declaration.standsAlone), declaration.summary)
      )
    }
    let item: JSONValue = [
      "type": "object", "properties": .object(JSONObject(members)), "additionalProperties": false,
      "minProperties": 1, "maxProperties": 1,
    ]
    return [
      "type": "array", "description": "Operators, in order.", "items": ["anyOf": .array(alone + [item])],
    ]
  }

  /// The supported traits of a signal.
  static let traits: [(String, JSONValue)] = [
    (
      "hold",
      [
        "description": "Keep the last value for new subscribers, with an optional initial value.",
        "anyOf": [Schema.boolean, Schema.object(["initial": [:]], required: ["initial"])],
      ]
    ),
    (
      "replay",
      [
        "description": "Replay the last values to new subscribers, bounded by number and age.",
        "anyOf": [
          ["type": "integer", "minimum": 1, "maximum": 100_000], Schema.placeholder,
          Schema.object(["count": ["type": "integer", "minimum": 1], "for": Schema.reference("duration")]),
        ],
      ]
    ),
    ("lazy", Schema.described(Schema.boolean, "Run only while there are subscribers.")),
    ("cold", Schema.described(Schema.boolean, "A separate run for each subscriber.")),
    ("backpressure", Schema.described(Schema.boolean, "Allow subscribers to request overflow: block.")),
    (
      "on_error",
      Schema.described(
        Schema.choice(ErrorPolicy.allCases.map(\.rawValue)), "The treatment of a value that an expression rejects.")
    ),
    ("access", Schema.described(Schema.reference("access"), "Who may send, subscribe and call.")),
    ("doc", Schema.text("A description of the signal.")),
    ("unit_of_measurement", Schema.text("The unit of measurement of its values.")),
    (
      "precision",
      [
        "description": "The number of decimals that its numbers are shown with.",
        "anyOf": [["type": "integer", "minimum": 0, "maximum": 15], Schema.placeholder],
      ]
    ),
    (
      "severity",
      [
        "description": "The attention that its values demand: a level, or {level, when}.",
        "anyOf": [
          Schema.choice(SeverityDeclaration.Level.allCases.map(\.rawValue)),
          Schema.object(
            [
              "level": Schema.choice(SeverityDeclaration.Level.allCases.map(\.rawValue)),
              "when": Schema.reference("expression"),
            ], required: ["level"]),
        ],
      ]
    ),
    ("dbus", Schema.described(Schema.boolean, "Publish it as an object on the daemon's message bus.")),
    ("private", Schema.described(Schema.boolean, "Hide it from clients.")),
    ("publish", PublicationSchema.publish),
    ("entity", Schema.described(Schema.entity, "What Home Assistant shows it as.")),
    (
      "metric",
      [
        "description": "Show its values as a metric: true, or its name and labels.",
        "anyOf": [
          Schema.boolean,
          Schema.object([
            "name": ["type": "string", "pattern": "^[a-zA-Z_][a-zA-Z0-9_]*$"],
            "labels": ["type": "object", "additionalProperties": Schema.reference("expression"), "minProperties": 1],
            "value": Schema.reference("expression"), "help": ["type": "string"],
            "type": Schema.choice(MetricDeclaration.Kind.allCases.map(\.rawValue)),
            "idle": Schema.reference("duration"),
          ]),
        ],
      ]
    ),
  ]
}

import JSON

/// The schemas of a signal and of its pipe, from the catalogue.
enum SignalSchema {
  static var signal: JSONValue {
    var properties = JSONObject()
    for source in Catalogue.sources {
      let argument = ParameterSchema.argument(source.parameters, standsAlone: source.standsAlone)
      // A key that is a trait beside another source may be either.
      let trait = traits.first { $0.0 == source.name }?.1
      let described = Schema.described(argument, source.summary)
      properties[source.name] = trait.map { ["anyOf": [described, $0]] } ?? described
      for parameter in source.parameters where parameter.isBeside {
        // The same word may mean something else beside another source.
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

  /// A signal that has a source, and not only a trait of that name, or a parameter beside another.
  private static func choice(_ source: SourceDeclaration) -> JSONValue {
    let others = Catalogue.sources.filter { other in
      other.name != source.name && (source.isTraitBesideOthers || other.hasBeside(source.name))
    }
    guard !others.isEmpty else { return having(source) }
    return ["required": [.string(source.name)], "not": ["anyOf": .array(others.map(having))]]
  }

  /// That the key of a source is there, and is no trait by its value.
  private static func having(_ source: SourceDeclaration) -> JSONValue {
    let required: JSONValue = [.string(source.name)]
    guard source.isTraitUnlessMapping else { return ["required": required] }
    return ["required": required, "properties": .object([source.name: ["type": "object"]])]
  }

  /// The sources that the keys beside them need.
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

  /// The traits of a signal, but for those that are not supported yet.
  static let traits: [(String, JSONValue)] = [
    (
      "hold",
      [
        "description": "Keep the last value and give it to newcomers; an initial one is there from the start.",
        "anyOf": [Schema.boolean, Schema.object(["initial": [:]], required: ["initial"])],
      ]
    ),
    (
      "replay",
      [
        "description": "Give newcomers the last values: how many, and how old at most.",
        "anyOf": [
          ["type": "integer", "minimum": 1, "maximum": 100_000], Schema.placeholder,
          Schema.object(["count": ["type": "integer", "minimum": 1], "for": Schema.reference("duration")]),
        ],
      ]
    ),
    ("lazy", Schema.described(Schema.boolean, "Run only while somebody listens.")),
    ("cold", Schema.described(Schema.boolean, "A run of its own for every subscriber.")),
    ("backpressure", Schema.described(Schema.boolean, "Let subscribers ask for overflow: block.")),
    (
      "on_error",
      Schema.described(
        Schema.choice(ErrorPolicy.allCases.map(\.rawValue)), "The fate of a value that an expression refuses.")
    ),
    ("access", Schema.described(Schema.reference("access"), "Who may send, subscribe and call.")),
    ("doc", Schema.text("A description of the signal.")),
    ("unit", Schema.text("The unit of its values.")),
    ("dbus", Schema.described(Schema.boolean, "An object on the daemon's message bus, for everybody to see.")),
    ("private", Schema.described(Schema.boolean, "Not visible to clients.")),
  ]
}

import GraphModel
package import JSON

/// The JSON Schema (draft-07) of a configuration, for editors: keys and their meanings.
///
/// Sources and operators are from the catalogue. The schema accepts everything that `check` accepts; rules that it
/// cannot express, such as the existence of a signal, are left to `check`.
package enum ConfigurationSchema {
  package static var value: JSONValue {
    [
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "Configuration of signalboxd",
      "type": "object",
      "required": ["signalbox"],
      "properties": [
        "signalbox": ["const": 1, "description": "Version of this format."],
        "server": Schema.orNothing(ServerSchema.server),
        "graphs": Schema.orNothing(
          Schema.map(to: Schema.reference("graph"), "Graphs of signals by their names.")),
        "views": Schema.orNothing(Schema.map(to: Schema.reference("view"), "Views by their names.")),
        "templates": Schema.orNothing(
          Schema.map(to: Schema.reference("template"), "Signals and graphs with parameters, by their names.")),
        "use": Schema.orNothing(Schema.described(Schema.reference("use"), "Templates that give graphs.")),
      ],
      "patternProperties": ["^x-": ["description": "Not read: a place for the anchors of YAML."]],
      "additionalProperties": false,
      "definitions": .object(definitions),
    ]
  }

  /// The schema as indented text.
  package static var text: String { IndentedJSON.text(of: value) + "\n" }

  private static var definitions: JSONObject {
    [
      "graph": graph, "action": action, "signal": SignalSchema.signal, "pipe": SignalSchema.pipe, "access": access,
      "reference": [
        "description": "A signal: its name, or an inline declaration.",
        "anyOf": [["type": "string"], Schema.reference("signal")],
      ],
      "duration": [
        "type": "string", "pattern": "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$|\\$\\{",
        "minLength": 2, "description": "A duration such as 250ms, 2s, 1m30s or 1h.",
      ],
      "type": TypeSchema.type, "field": TypeSchema.field,
      "instant": [
        "type": "string",
        "pattern": "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?([0-9]+us)?([0-9]+ns)?$|\\$\\{", "minLength": 2,
        "description": "A time of a test such as 0s, 1m30s or 1s250ms317us.",
      ],
      "size": [
        "anyOf": [
          ["type": "integer", "minimum": 0], ["type": "string", "pattern": "^[0-9]+(B|KiB|MiB|GiB)?$|\\$\\{"],
        ],
        "description": "A size such as 4096, 64KiB or 1MiB.",
      ],
      "expression": [
        "type": ["string", "number", "boolean"],
        "description":
          "An expression in the language of jq; in quotes if YAML would read it as a mapping or a list.",
      ],
      "view": ViewSchema.view, "test": TestSchema.test, "template": template, "use": use,
    ]
  }

  static var graph: JSONValue {
    Schema.object([
      "doc": Schema.text("A description of the graph."),
      "durable": DurabilitySchema.durable, "cluster": ClusterSchema.cluster,
      "access": Schema.reference("access"),
      "signals": Schema.orNothing(Schema.map(to: Schema.reference("signal"), "Signals by their names.")),
      "actions": Schema.orNothing(
        Schema.map(to: Schema.reference("action"), "Programs and methods that clients can call, by name.")),
      "tests": Schema.orNothing(["type": "array", "items": Schema.reference("test")]),
      "views": Schema.orNothing(
        Schema.map(to: Schema.reference("view"), "Views by their names, which name signals of this graph without it.")),
      "use": Schema.orNothing(Schema.described(Schema.reference("use"), "Templates that give signals.")),
    ])
  }

  static var template: JSONValue {
    func names(of definition: String, _ description: String) -> JSONValue {
      Schema.orNothing([
        "type": "object", "additionalProperties": Schema.parameterised(Schema.reference(definition)),
        "description": .string(description),
      ])
    }
    return Schema.object([
      "doc": Schema.text("A description of the template."),
      "parameters": Schema.orNothing([
        "type": "object", "propertyNames": ["pattern": "^[a-z][a-z0-9_]*$"],
        "description": "Parameters by their names, each with the value that it has where a use gives none.",
      ]),
      "signals": names(of: "signal", "Signals by their names, in which ${parameter} may stand."),
      "actions": names(of: "action", "Programs and methods that clients can call, by name."),
      "tests": Schema.orNothing(["type": "array", "items": Schema.parameterised(Schema.reference("test"))]),
      "views": names(of: "view", "Views, or parts of views, by their names."),
      "graphs": names(of: "graph", "Graphs by their names, in which ${parameter} may stand."),
      "use": Schema.orNothing(Schema.reference("use")),
    ])
  }

  private static var use: JSONValue {
    [
      "type": "object",
      "description":
        "Templates by their names: the parameters of one use, the value of the first parameter, or a list of these.",
    ]
  }

  static var action: JSONValue {
    guard
      case .object(var action) = Schema.object([
        "exec": Schema.described(
          ParameterSchema.texts, "The program and its arguments; the value of the call is its standard input."),
        "format": Schema.described(
          ParameterSchema.lineFormat, "The format of its output lines."),
        "keep": [
          "type": "boolean",
          "description": "True for a program that stays, and answers each line of its input by one line.",
        ],
        "dbus": Schema.described(
          ParameterSchema.argument(DeclaredMethod.descriptions, standsAlone: false),
          "The method of a service on D-Bus that is called; what it returns is the output."),
        "http": Schema.described(
          ParameterSchema.argument(DeclaredRequest.descriptions, standsAlone: false),
          "The request to an HTTP server that is made; its answer is the output."),
        "adapter": Schema.described(
          ParameterSchema.argument(AdapterRequest.descriptions, standsAlone: false),
          "The request that another adapter carries out; what it answers is the output."),
        "enabled_if": Schema.described(Schema.reference("reference"), "It may run while this signal's value is true."),
        "timeout": Schema.described(Schema.reference("duration"), "How long it may run."),
        "entity": Schema.described(Schema.entity, "The button of Home Assistant that calls it."),
        "doc": Schema.text("A description of the action."),
        "access": Schema.reference("access"),
      ])
    else { return [:] }
    action["oneOf"] = [
      ["required": ["exec"]], ["required": ["dbus"]], ["required": ["http"]], ["required": ["adapter"]],
    ]
    return .object(action)
  }

  private static var access: JSONValue {
    let list: JSONValue = [
      "type": "array", "items": ["type": ["string", "number"]],
      "description": "User names, \"@group\", \"uid:N\" or \"gid:N\".",
    ]
    return Schema.object(["send": list, "subscribe": list, "call": list], "Permissions.")
  }
}

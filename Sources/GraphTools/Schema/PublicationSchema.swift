import GraphModel
import JSON

/// The schema of what a signal publishes.
enum PublicationSchema {
  static var publish: JSONValue {
    Schema.described(
      ["anyOf": [publication, ["type": "array", "items": publication, "minItems": 1]]],
      "Publish a message to brokers for each value.")
  }

  private static var publication: JSONValue {
    let members = PeerKind.publishing.compactMap { kind in
      kind.publication.map { (kind.rawValue, ParameterSchema.argument($0.parameters, standsAlone: false)) }
    }
    return [
      "type": "object", "properties": .object(JSONObject(members)), "additionalProperties": false, "minProperties": 1,
      "maxProperties": 1,
    ]
  }
}

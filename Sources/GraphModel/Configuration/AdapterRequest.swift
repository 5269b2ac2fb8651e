package import JSON

/// The declaration of a request that another adapter carries out.
package struct AdapterRequest: Sendable {
  let connectionName: AdapterConnectionName
  package let request: GraphExpression?
  private let given: AdapterSettings?

  /// The descriptions of its parameters.
  package static var descriptions: [ParameterDescription] { parameters.descriptions }

  private static let parameters = ParameterList(
    Parameter<AdapterConnectionName>("connection", "the connection, of the adapter's kind"),
    Parameter<GraphExpression?>(
      "request", "makes an object of the value, which the adapter is given beside it", initial: .some(nil)),
    Parameter<AdapterSettings?>("settings", "the adapter's settings of this action", initial: .some(nil)))

  /// Reads the request; `nil` after reporting every error in it.
  package static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> AdapterRequest? {
    parameters.read(entry.value, of: "adapter", at: entry.key, reader).map(AdapterRequest.init)
  }

  package var connection: ConnectionReference { connectionName.reference }
  package var settings: JSONObject { given?.members ?? [:] }
}

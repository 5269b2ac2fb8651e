import GraphModel
import JSON

/// The declaration of what an action asks an adapter to do.
protocol NetworkRequest: Sendable {
  var connection: ConnectionReference { get }
  /// The settings of the action for the adapter.
  var settings: JSONObject { get }

  /// Computes the request for the value of a call.
  func request(for value: JSONValue, of action: String, _ engine: GraphEngine) throws(SignalFailure) -> JSONObject
}

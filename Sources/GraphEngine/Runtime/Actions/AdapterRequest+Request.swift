import GraphModel
import JSON

extension AdapterRequest: NetworkRequest {
  func request(for value: JSONValue, of action: String, _ engine: GraphEngine) throws(SignalFailure) -> JSONObject {
    guard let request else { return [:] }
    guard
      case .object(let object)? = try RequestEvaluation(value, of: action, engine).first(of: request, "request")?.plain
    else { throw .badValue("request: a request is an object") }
    return object
  }
}

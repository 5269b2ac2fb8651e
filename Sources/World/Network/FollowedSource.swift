package import GraphEngine
import GraphModel
import JSON

/// A source that runs, for an adapter to follow.
package final class FollowedSource {
  package let source: NetworkSource
  /// The position of the last send, where the next adapter resumes.
  private(set) var position: String?
  private let receive: (NetworkEvent) -> Void

  init(_ source: NetworkSource, position: String?, _ receive: @escaping (NetworkEvent) -> Void) {
    self.source = source
    self.position = position
    self.receive = receive
  }

  func deliver(_ event: NetworkEvent) {
    if case .items(_, let position?, _) = event { self.position = position }
    receive(event)
  }

  /// The declaration without the position, since the adapter that follows the source has a newer one.
  var form: JSONValue { .object(members) }

  var declaration: JSONValue {
    var members = members
    if let position { members["position"] = .string(position) }
    return .object(members)
  }

  private var members: JSONObject {
    [
      "signal": .string(source.signal), "role": "source", "kind": .string(source.kind.rawValue),
      "connection": .string(source.connection), "settings": .object(source.settings),
    ]
  }
}

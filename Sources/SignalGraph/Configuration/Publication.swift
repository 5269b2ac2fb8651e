import JSON

/// The declaration of messages that a signal publishes over one connection.
package struct Publication: Sendable {
  package let kind: PeerKind
  /// The name of the connection.
  package let connection: String
  /// The kind's word for the topic: the member of the request and of the value that is shown.
  let word: String
  let topic: ComputedTopic
  /// Makes the payload of the value; `nil` for the value itself.
  let payload: GraphExpression?
  /// The members of each request that are the same for all messages.
  let settings: JSONObject
  /// True if the broker keeps the last message of each topic, so that a newer one makes an older one needless.
  let isRetained: Bool
  let queue: PublicationQueueSettings
  /// Returns the problem in a computed topic.
  let problem: @Sendable (String) -> String?
  /// True if it can be announced to Home Assistant.
  var isAnnounced = false
  /// The declaration of the entity that it is there.
  var entity: Entity?
  /// The members of the entity, as the adapter announces it.
  var announcement: JSONObject?
}

/// The bounds of the messages that wait to be published.
struct PublicationQueueSettings: Sendable {
  /// The most messages.
  let limit: Int
  let overflow: PublicationOverflow

  static let defaultLimit = 1_000
}

/// The treatment of a message beyond the limit.
enum PublicationOverflow: String, WordParameter {
  case dropOldest = "drop_oldest"
  case dropNewest = "drop_newest"
  /// Senders wait.
  case block
}

/// A reader of what signals publish to peers of one kind.
package protocol PublicationReader {
  /// The keys of its declaration, for the schema.
  static var parameters: [ParameterDescription] { get }

  /// Reads a declaration; `nil` after reporting every error in it.
  ///
  /// - Parameter entry: The kind's key and its value.
  static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> Publication?
}

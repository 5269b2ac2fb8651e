package import JSON

/// The declaration of messages that a signal publishes over one connection.
package struct Publication: Sendable {
  package let kind: PeerKind
  /// The name of the connection.
  package let connection: String
  /// The kind's word for the topic: the member of the request and of the value that is shown.
  package let word: String
  package let topic: ComputedTopic
  /// Makes the payload of the value; `nil` for the value itself.
  package let payload: GraphExpression?
  /// The members of each request that are the same for all messages.
  package let settings: JSONObject
  /// True if the broker keeps the last message of each topic, so that a newer one makes an older one needless.
  package let isRetained: Bool
  package let queue: PublicationQueueSettings
  /// Returns the problem in a computed topic.
  package let problem: @Sendable (String) -> String?
  /// True if it can be announced to Home Assistant.
  package var isAnnounced = false
  /// The declaration of the entity that it is there.
  package var entity: Entity?
  /// The members of the entity, as the adapter announces it.
  package var announcement: JSONObject?

  package init(
    kind: PeerKind, connection: String, word: String, topic: ComputedTopic, payload: GraphExpression?,
    settings: JSONObject, isRetained: Bool, queue: PublicationQueueSettings,
    problem: @escaping @Sendable (String) -> String?, isAnnounced: Bool = false, entity: Entity? = nil
  ) {
    self.kind = kind
    self.connection = connection
    self.word = word
    self.topic = topic
    self.payload = payload
    self.settings = settings
    self.isRetained = isRetained
    self.queue = queue
    self.problem = problem
    self.isAnnounced = isAnnounced
    self.entity = entity
  }
}

/// The bounds of the messages that wait to be published.
package struct PublicationQueueSettings: Sendable {
  /// The most messages.
  package let limit: Int
  package let overflow: PublicationOverflow

  package init(limit: Int, overflow: PublicationOverflow) {
    self.limit = limit
    self.overflow = overflow
  }

  package static let defaultLimit = 1_000
}

/// The treatment of a message beyond the limit.
package enum PublicationOverflow: String, WordParameter {
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

/// The topic of the messages of a signal, as a parameter: fixed or computed.
struct TopicParameter<Rules: TopicRules>: ParameterValue {
  let topic: ComputedTopic

  static var typeName: String { "a \(Rules.word), or a text in quotes with \\(…) in it" }
  static var shape: ParameterShape { .text }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> TopicParameter? {
    ComputedTopic.read(node, reading, Rules.word, example: Rules.example, problem: Rules.problem(in:))
      .map(TopicParameter.init)
  }
}

/// The rules for the topics of messages to one kind of peers.
protocol TopicRules: SendableMetatype {
  /// The kind's own word for a topic.
  static var word: String { get }
  /// An example of a computed one.
  static var example: String { get }

  /// Returns the problem in a topic.
  static func problem(in topic: String) -> String?
}

extension MQTTTopic: TopicRules {
  static var word: String { "topic" }
  static var example: String { #"'"home/\(.room)"'"# }
}

extension NATSSubject: TopicRules {
  static var word: String { "subject" }
  static var example: String { #"'"rooms.\(.room)"'"# }
}

/// The rules for topics of an adapter, which has further ones of its own.
enum AdapterTopic: TopicRules {
  static var word: String { "topic" }
  static var example: String { MQTTTopic.example }

  static func problem(in topic: String) -> String? { topic.isEmpty ? "a topic is not empty" : nil }
}

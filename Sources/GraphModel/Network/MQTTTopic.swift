/// The rules for the topics of messages, and for filters of topics.
package enum MQTTTopic {
  /// The greatest length of a topic in bytes.
  static let longest = 65_535

  /// Returns the problem in the topic of a message.
  static func problem(in topic: String) -> String? {
    if let problem = common(topic) { return problem }
    return topic.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
      ? "the topic of a message has no wildcards \"+\" and \"#\"" : nil
  }

  /// Returns the topic of a signal's state below the node that announces it; another one for each signal.
  package static func ofState(_ signal: String, below node: String) -> String {
    "\(node)/\(signal.replacing("_", with: "_-").replacing(".", with: "__"))/state"
  }

  /// Returns the problem in a filter of topics.
  static func problem(inFilter filter: String) -> String? {
    if let problem = common(filter) { return problem }
    let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
    for (place, level) in levels.enumerated() where level.contains("+") || level.contains("#") {
      if level.count > 1 { return "a wildcard \"+\" or \"#\" is a whole level, as in home/+/state" }
      if level == "#", place + 1 < levels.count { return "the wildcard \"#\" is the last level, as in home/#" }
    }
    if levels.first == "$share", levels.count < 3 || levels[1].isEmpty {
      return "a shared subscription is $share/NAME/FILTER"
    }
    return nil
  }

  private static func common(_ text: String) -> String? {
    if text.isEmpty { return "a topic is not empty" }
    if text.utf8.count > longest { return "a topic has at most \(longest) bytes" }
    return text.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
      ? "a topic has no control characters" : nil
  }
}

import JSON
import Testing

@testable import Bridge

@Suite struct `Subscriptions to topics` {
  private func source(_ signal: String, _ topic: String) throws -> MQTTSource {
    let text = """
      {"signal":"\(signal)","role":"source","kind":"mqtt","connection":"home","settings":{"topic":"\(topic)"}}
      """
    guard case .object(let object) = try JSONParser.value(onThisThread: Array(text.utf8).span) else {
      throw TaskFailure("bad_request", "no object")
    }
    return try MQTTSource(#require(SignalDeclaration(object)))
  }

  @Test(arguments: [true, false])
  func `of topics that differ in their bytes alone are two`(hasNumbers: Bool) throws {
    let topics = ["top/\u{e9}", "top/e\u{301}"]
    var subscriptions = MQTTSubscriptions()
    var entries: [MQTTSubscriptions.Entry] = []
    for topic in topics {
      let entry = subscriptions.add(try source("g.\(topic.utf8.count)", topic))
      entries.append(try #require(entry))
    }
    for (topic, entry) in zip(topics, entries) {
      #expect(Array(entry.filter.utf8) == Array(topic.utf8))
      var message = MQTTMessage(topic: topic, payload: [])
      if hasNumbers { message.subscriptions = [entry.identifier] }
      #expect(subscriptions.sources(for: message).map(\.run.signal) == ["g.\(topic.utf8.count)"])
    }
    let removed = subscriptions.remove(subscriptions.sources[0].run)
    let gone = try #require(removed)
    #expect(topics.contains { Array($0.utf8) == Array(gone.utf8) })
    #expect(subscriptions.entries.count == 1)
  }
}

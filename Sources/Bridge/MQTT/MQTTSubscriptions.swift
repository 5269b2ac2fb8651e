internal import Base

/// The filters of topics of a connection, and the sources that each feeds.
struct MQTTSubscriptions {
  /// A filter that the broker knows.
  final class Entry {
    let filter: String
    /// A number that is equal in every process, so that a session can outlive one.
    let identifier: UInt32
    fileprivate(set) var sources: [MQTTSource] = []
    /// True until the broker has answered: what it retains follows the answer, for all sources.
    var isAsked = false

    init(_ filter: String) {
      self.filter = filter
      var hash: UInt32 = 2_166_136_261
      for byte in filter.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
      identifier = hash % 268_435_455 + 1
    }

    var qos: Int32 { sources.map(\.qos).max() ?? 0 }
  }

  private(set) var entries: [ExactText: Entry] = [:]

  var sources: [MQTTSource] { entries.values.flatMap(\.sources) }

  /// Adds a source; returns its filter if the broker has to be asked for it.
  ///
  /// For another source of a filter it is asked again, so that the source gets the retained messages. The others get
  /// them again, too.
  mutating func add(_ source: MQTTSource) -> Entry? {
    let filter = ExactText(source.filter)
    let entry = entries[filter] ?? Entry(source.filter)
    let before = entry.sources.isEmpty ? -1 : entry.qos
    entries[filter] = entry
    entry.sources.append(source)
    return entry.qos > before || !entry.isAsked ? entry : nil
  }

  /// Removes a source; returns its filter if no other source has it.
  mutating func remove(_ run: SignalRun) -> String? { remove { $0.command == nil && $0.run == run } }

  /// Removes a command; returns its filter if no source has it.
  mutating func remove(_ command: MQTTCommand) -> String? { remove { $0.command == command } }

  private mutating func remove(where isMeant: (MQTTSource) -> Bool) -> String? {
    for (filter, entry) in entries where entry.sources.contains(where: isMeant) {
      entry.sources.removeAll(where: isMeant)
      guard entry.sources.isEmpty else { return nil }
      entries[filter] = nil
      return filter.text
    }
    return nil
  }

  mutating func removeAll() { entries = [:] }

  /// Returns the sources that a message is for: by the numbers of its subscriptions or, where it has none that are
  /// known, by its topic.
  func sources(for message: MQTTMessage) -> [MQTTSource] {
    if entries.count == 1, let entry = entries.values.first, MQTTClient.matches(message.topic, entry.filter) {
      return entry.sources
    }
    let matching = entries.values.filter { MQTTClient.matches(message.topic, $0.plainFilter) }
    let named = matching.filter { message.subscriptions.contains($0.identifier) }
    return (named.isEmpty ? matching : named).flatMap(\.sources)
  }
}

extension MQTTSubscriptions.Entry {
  /// The filter without the name of a shared subscription.
  fileprivate var plainFilter: String {
    guard filter.hasPrefix("$share/") else { return filter }
    return String(filter.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? "")
  }
}

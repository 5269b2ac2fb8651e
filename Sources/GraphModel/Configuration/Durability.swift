import Base
import JSON

/// The guarantees of a durable graph, whose state outlives the daemon.
package struct Durability: Sendable, Equatable {
  /// The deadline for a commit to be on disk.
  package enum Sync: Sendable, Equatable {
    /// Before any request in the commit is answered.
    case commit
    /// At most this much later; a power failure loses no more than that.
    case within(Duration)
  }

  /// The bounds of the history that is kept beside the state: age, size, or both.
  package struct History: Sendable, Equatable {
    package var age: Duration?
    package var size: Int?
  }

  /// The bounds of the remembered message ids, which make resent messages of clients have no effect.
  package struct MessageIDs: Sendable, Equatable {
    package var age = Duration.seconds(600)
    package var count = 100_000
  }

  package var sync = Sync.commit
  /// The bounds of the history; `nil` keeps only what recovery needs.
  package var history: History?
  package var messageIDs = MessageIDs()

  package init() {}
}

extension Durability {
  private static let expected = "true, false, or a mapping with sync, history or message_ids"

  /// Reads a graph's `durable`; `nil` if the graph is not durable or the value is invalid.
  package init?(reading reader: Reader) {
    if reader.node.entries == nil {
      guard let scalar = reader.resolved(expected: Self.expected) else { return nil }
      guard case .bool(let isDurable) = scalar.value else {
        reader.refuse(expected: Self.expected)
        return nil
      }
      guard isDurable else { return nil }
    } else if let mapping = reader.mapping(of: ["sync", "history", "message_ids"]) {
      sync = mapping.optional("sync").flatMap(Sync.init) ?? .commit
      history = mapping.optional("history").flatMap(History.init)
      messageIDs = mapping.section("message_ids", of: MessageIDs.keys).map(MessageIDs.init) ?? MessageIDs()
    }
  }
}

extension Durability.Sync {
  /// The permitted delays: a shorter one would cost as much as syncing each commit, a longer one could lose too much.
  private static let times = Duration.milliseconds(100)...Duration.seconds(3600)

  fileprivate init?(reading reader: Reader) {
    let expected = "commit, or a duration such as 1s"
    guard let scalar = reader.resolved(expected: expected) else { return nil }
    if scalar.text == "commit" {
      self = .commit
    } else if DurationText.duration(scalar.text) != nil {
      guard let time = reader.duration(in: Self.times) else { return nil }
      self = .within(time)
    } else {
      let suggestion = Suggestion.likely(for: scalar.text, among: ["commit"])
      reader.refuse(
        expected: DurationText.expectation(for: scalar.text) ?? expected,
        suggestion: suggestion ?? DurationText.suggestion(for: scalar.text))
      return nil
    }
  }
}

extension Durability.History {
  private static let leastSize = 1 << 20

  fileprivate init?(reading reader: Reader) {
    guard let mapping = reader.mapping(of: ["for", "size"]) else { return nil }
    let (age, size) = (mapping.optional("for"), mapping.optional("size"))
    if reader.node.entries?.isEmpty == true {
      reader.problems.error("history needs for, size or both: it must be bounded", at: reader)
      return nil
    }
    self.age = age?.duration(in: .seconds(1)...DurationText.longest)
    self.size = size?.size(in: Self.leastSize ... .max)
  }
}

extension Durability.MessageIDs {
  /// A hundred times the default; with the longest ids, more than a gigabyte of memory.
  private static let greatestCount = 10_000_000

  fileprivate static let keys = ["for", "count"]

  fileprivate init(reading mapping: MappingReader) {
    age = mapping.optional("for")?.duration(in: .seconds(1)...DurationText.longest) ?? age
    count = mapping.optional("count")?.int(in: 1...Self.greatestCount) ?? count
  }
}

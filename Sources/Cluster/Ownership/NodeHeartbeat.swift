internal import Signals

/// The heartbeat that each node publishes: who it is, and what it owns.
package struct NodeHeartbeat: Equatable, Sendable {
  /// An owned log, or one whose owner the node is becoming.
  package struct OwnedLog: Equatable, Sendable {
    package let log: LogName
    package let term: UInt64
    /// The sequence of the last record that is acknowledged to the owner.
    package let sequence: UInt64
    /// The reason of the term: its opening may have been purged before other nodes read it.
    package let reason: OpenRecord.Reason

    package init(log: LogName, term: UInt64, sequence: UInt64, reason: OpenRecord.Reason = .start) {
      self.log = log
      self.term = term
      self.sequence = sequence
      self.reason = reason
    }
  }

  package var node: String
  /// The process of the node: 16 random hexadecimal digits.
  package var boot: String
  /// The version of the program.
  package var program: String
  /// The node's clock, in microseconds since 1970: for a warning, never for a decision.
  package var time: Int64
  package var owned: [OwnedLog]

  package static let interval = Duration.milliseconds(500)

  package init(node: String, boot: String, program: String, time: Int64, owned: [OwnedLog]) {
    self.node = node
    self.boot = boot
    self.program = program
    self.time = time
    self.owned = owned
  }
}

extension NodeHeartbeat {
  /// The version of the form; a heartbeat of another one is ignored.
  private static let version: UInt8 = 1

  package var bytes: [UInt8] {
    var encoder = StateEncoder()
    encoder.byte(Self.version)
    encoder.text(node)
    encoder.text(boot)
    encoder.text(program)
    encoder.signed(time)
    encoder.count(owned.count)
    for owned in owned {
      encoder.text(owned.log.graph)
      encoder.count(owned.log.partition)
      encoder.number(owned.term)
      encoder.number(owned.sequence)
      encoder.byte(owned.reason.rawValue)
    }
    return encoder.bytes
  }

  /// Reads a heartbeat; `nil` if it is none of this version.
  package init?(_ bytes: [UInt8]) {
    var decoder = StateDecoder(bytes)
    do throws(StateError) {
      guard try decoder.byte() == Self.version else { return nil }
      node = try decoder.text()
      boot = try decoder.text()
      program = try decoder.text()
      time = try decoder.signed()
      owned = []
      for _ in 0..<(try decoder.count()) {
        let graph = try decoder.text()
        guard let partition = Int(exactly: try decoder.number()) else { return nil }
        let (term, sequence) = (try decoder.number(), try decoder.number())
        guard let reason = OpenRecord.Reason(rawValue: try decoder.byte()) else { return nil }
        owned.append(
          OwnedLog(
            log: LogName(graph: graph, partition: partition), term: term, sequence: sequence, reason: reason))
      }
    } catch { return nil }
    guard decoder.isAtEnd else { return nil }
  }
}

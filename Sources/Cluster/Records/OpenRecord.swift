internal import Signals

/// The beginning of a term: a node has become the owner of the log.
///
/// It is the only proof of where the log ends: what stands before an acknowledged opening is all there is.
package struct OpenRecord: Equatable, Sendable {
  /// The cause of a new term, for logs and for the epoch.
  package enum Reason: UInt8, Sendable, CaseIterable {
    /// There was no owner yet, or it had closed its term without a successor.
    case start = 1
    /// The owner was silent, or its process has ended.
    case failover
    /// The owner has named this node as its successor.
    case successor
    /// The owner has changed the configuration of the graph.
    case reload
    /// The state was replaced; a new epoch begins.
    case repair

    package var word: String { "\(self)" }

    /// The reason in the words of a log.
    package var text: String {
      switch self {
      case .start: "it had no owner"
      case .failover: "its owner was silent or had ended"
      case .successor: "its owner has handed it over"
      case .reload: "its configuration has changed"
      case .repair: "its state was replaced"
      }
    }
  }

  package var node: String
  /// The process of that node: 16 random hexadecimal digits.
  package var boot: String
  package var reason: Reason
  /// The version of the program.
  package var program: String
  /// The format of entries and snapshots.
  package var format: UInt64
  /// The fingerprint of the graph's configuration.
  package var configuration: UInt64
  /// The names of the signals whose events are told, by their numbers there.
  package var signals: [String]

  /// Returns a name for a process: 16 random hexadecimal digits.
  package static func newBoot() -> String { UInt64.random(in: .min ... .max).hexadecimal }

  package init(
    node: String, boot: String, reason: Reason, program: String, format: UInt64, configuration: UInt64,
    signals: [String]
  ) {
    self.node = node
    self.boot = boot
    self.reason = reason
    self.program = program
    self.format = format
    self.configuration = configuration
    self.signals = signals
  }
}

extension OpenRecord {
  var encoded: [UInt8] {
    var encoder = StateEncoder()
    encoder.text(node)
    encoder.text(boot)
    encoder.byte(reason.rawValue)
    encoder.text(program)
    encoder.number(format)
    encoder.bits(configuration)
    encoder.count(signals.count)
    for signal in signals { encoder.text(signal) }
    return encoder.bytes
  }

  init(_ bytes: ArraySlice<UInt8>) throws(StateError) {
    var decoder = StateDecoder(bytes)
    node = try decoder.text()
    boot = try decoder.text()
    guard let reason = Reason(rawValue: try decoder.byte()) else { throw StateError("unknown reason of an opening") }
    self.reason = reason
    program = try decoder.text()
    format = try decoder.number()
    configuration = try decoder.bits()
    signals = []
    for _ in 0..<(try decoder.count()) { signals.append(try decoder.text()) }
    try decoder.finish()
  }
}

extension StateDecoder {
  func finish() throws(StateError) {
    guard isAtEnd else { throw StateError("unexpected data behind the last field") }
  }
}

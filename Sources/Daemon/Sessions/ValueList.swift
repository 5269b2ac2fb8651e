import GraphEngine
import GraphModel
import JSON
import Persistence
import Signals
import WireProtocol
import World

/// The values of one `send`, sent in slices over several iterations of the loop.
///
/// An open list continues without its client. Until it ends, further lines of its client wait, and so do the sends of
/// other clients to its graph.
final class ValueList: CooperativeTask {
  /// The charge to its user for each value.
  static let weight = 64

  let session: Session
  let signal: String
  let id: RequestID?
  let messageID: MessageID?
  let values: [Payload]
  /// The number of values that have been sent.
  var taken = 0
  /// The number of the signal's last value before the first one.
  var before: UInt64 = 0
  /// The signal that the values were checked against; after a reload, the name may belong to another one.
  weak var target: RunningSignal?
  var isWaiting = false
  /// True if it pauses while the disk is behind.
  var isReader = false
  var source: String? { isReader ? signal : nil }
  /// Sends values for a while; returns `true` if some are left.
  var work: (ValueList) -> Bool = { _ in false }

  init(_ values: [Payload], to signal: String, of session: Session, id: RequestID?, messageID: MessageID?) {
    self.values = values
    self.signal = signal
    self.session = session
    self.id = id
    self.messageID = messageID
  }

  var graph: String { SignalName.graph(of: signal) }
  var isDone: Bool { taken == values.count }
  var charge: Int { Self.weight * values.count }

  func runSlice() -> Bool { work(self) }
}

// MARK: - Handover

extension ValueList {
  func encode(to writer: inout StateEncoder) {
    writer.text(signal)
    (id?.bytes).encode(to: &writer)
    (messageID?.text).encode(to: &writer)
    before.encode(to: &writer)
    taken.encode(to: &writer)
    values.encode(to: &writer)
  }

  convenience init(from reader: inout StateDecoder, of session: Session) throws(StateError) {
    let signal = try reader.text()
    let id = try [UInt8]?(from: &reader).map { RequestID(kept: $0) }
    let messageID = try String?(from: &reader).flatMap { MessageID($0) }
    let (before, taken) = (try UInt64(from: &reader), try Int(from: &reader))
    let values = try [Payload](from: &reader)
    guard values.indices.contains(taken) else { throw StateError("nothing is left of a list of values") }
    self.init(values, to: signal, of: session, id: id, messageID: messageID)
    (self.before, self.taken) = (before, taken)
  }
}

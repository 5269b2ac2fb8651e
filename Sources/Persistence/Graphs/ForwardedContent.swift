import GraphModel
import JSON
package import Signals

/// The content that a client has sent to a signal, on its way to the node that runs the graph.
package struct ForwardedContent: StateCodable {
  package let signal: String
  package let content: DurableGraphs.Content
  /// The user that has sent it.
  package let userID: UInt32

  package init(_ content: DurableGraphs.Content, to signal: String, userID: UInt32) {
    (self.content, self.signal, self.userID) = (content, signal, userID)
  }

  package func encode(to writer: inout StateEncoder) {
    writer.text(signal)
    writer.number(UInt64(userID))
    switch content {
    case .value(let value): Entry.value(value, to: 0, message: nil).encode(to: &writer)
    case .values(let values): Entry.values(values, to: 0, message: nil).encode(to: &writer)
    case .ending(let ending): Entry.ending(ending, of: 0, message: nil).encode(to: &writer)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    signal = try reader.text()
    guard let userID = UInt32(exactly: try reader.number()) else { throw StateError("unknown user index") }
    self.userID = userID
    switch try Entry(from: &reader) {
    case .value(let value, _, _): content = .value(value)
    case .values(let values, _, _): content = .values(values)
    case .ending(let ending, _, _): content = .ending(ending)
    default: throw StateError("no content of a send")
    }
  }
}

extension ForwardedContent {
  package var bytes: [UInt8] {
    var encoder = StateEncoder()
    encode(to: &encoder)
    return encoder.bytes
  }

  package init?(bytes: [UInt8]) {
    var decoder = StateDecoder(bytes)
    do throws(StateError) { try self.init(from: &decoder) } catch { return nil }
    guard decoder.isAtEnd else { return nil }
  }
}

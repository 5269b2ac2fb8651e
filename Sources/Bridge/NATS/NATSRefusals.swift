internal import CNATS
internal import Linux

/// The messages that streams have refused, by their names, until they are asked for.
final class NATSRefusals: Sendable {
  private let refused = Monitor([String: String]())

  func note(_ error: jsPubAckErr) {
    var key: UnsafePointer<CChar>?
    guard natsMsgHeader_Get(error.Msg, "Nats-Msg-Id", &key) == NATS_OK, let key else { return }
    let name = String(cString: key)
    let reason = error.ErrText.map { String(cString: $0) } ?? NATSLibrary.text(of: error.Err)
    refused.withLock { $0[name] = reason }
  }

  func take() -> [String: String] {
    refused.withLock { refused in
      defer { refused = [:] }
      return refused
    }
  }
}

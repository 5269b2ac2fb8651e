import GraphEngine
import GraphModel
import WireProtocol

// The end of a signal as reported to clients.

extension WireProtocol.SignalEnd {
  /// Creates the report of a signal's end, as far as the client may know it; `nil` while the signal runs.
  init?(of channel: Channel, for client: ClientIdentity) {
    guard let end = channel.signal.end else { return nil }
    let mayKnowWhy = channel.access.maySubscribe(client)
    self.init(
      event: end.ending.event, failure: mayKnowWhy ? Failure(end.ending) : nil,
      time: Timestamp(microseconds: end.time))
  }
}

extension Failure {
  convenience init(_ failure: SignalFailure) { self.init(code: failure.code, message: failure.message) }

  /// Creates the failure of a signal; `nil` for another ending.
  convenience init?(_ ending: SignalEnding) {
    guard case .failed(let failure) = ending else { return nil }
    self.init(failure)
  }
}

import SignalGraph
import WireProtocol

// How the end of a signal is told to a client.

extension WireProtocol.SignalEnd {
  /// How a signal came to its end, as a client may know it; `nil` for one that goes on.
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

  /// Why a signal failed, if it did.
  convenience init?(_ ending: SignalEnding) {
    guard case .failed(let failure) = ending else { return nil }
    self.init(failure)
  }
}

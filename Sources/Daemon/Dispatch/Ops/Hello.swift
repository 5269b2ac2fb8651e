import Linux
import SignalGraph
import WireProtocol

extension Dispatcher {
  /// What a client can rely on beyond version 1 of the protocol's text.
  private static let capabilities = [
    "send", "subscribe", "patterns", "replay", "from", "take", "where", "every", "heartbeat", "timestamps", "overflow",
    "call", "reload", "restart",
  ]

  func hello(_ request: HelloRequest, _ exchange: Exchange) {
    let credentials = exchange.client.credentials
    exchange.reply(
      HelloReply(
        version: version, capabilities: Self.capabilities, epoch: control.epoch,
        generation: Int(hub.runtime.generation), user: (credentials.userID, credentials.groupID),
        limits: control.limits))
  }
}

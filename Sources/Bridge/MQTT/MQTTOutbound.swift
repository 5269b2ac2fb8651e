internal import ClientCore
internal import Linux

/// A second client, over which a connection publishes if it receives as well; it reconnects by itself.
///
/// Received and published messages share a client's stream of packets. While the daemon has not taken received messages,
/// none of them may be acknowledged, nor is the answer to a published one read: a graph that waits for its publications would
/// wait for itself.
final class MQTTOutbound {
  let publications: MQTTPublications
  /// The reason of the last failure; `nil` while it is connected.
  private(set) var failure: String?
  /// Called when it is connected, and with each failure.
  var changed: () -> Void = {}
  /// Returns what is published first over a new connection, which a broker may have lost.
  var presentStates: () -> [MQTTMessage] = { [] }
  /// Called when it is time to connect again.
  var isDue: () -> Void = {}
  private let client: MQTTClient
  private var timer: LoopTimer?
  private var backoff = MQTTConnection.backoff

  init(_ settings: MQTTSettings, loop: EventLoop, poller: Poller) throws {
    client = try MQTTClient(settings.outbound, isPersistent: false, loop: loop, poller: poller)
    publications = MQTTPublications(client)
    timer = try loop.addTimer { [unowned self] in isDue() }
    client.connected = { [unowned self] _ in
      backoff.reset()
      failure = nil
      for message in presentStates() { _ = try? client.publish(message) }
      changed()
    }
    client.published = { [unowned self] in publications.finish($0, $1) }
    client.lost = { [unowned self] reason in
      failure = settings.redacted(reason)
      publications.lose()
      changed()
      try? timer?.set(.now() + backoff.pause())
    }
  }

  var isConnected: Bool { client.isConnected }

  /// Connects if it is not connected, and publishes what is held.
  func begin() {
    client.connect(isPersistent: false)
    publications.publishHeld()
  }

  func close() {
    timer = nil
    client.close()
  }
}

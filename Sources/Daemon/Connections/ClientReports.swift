/// A reported event of a client's connection.
enum ClientEvent: String {
  case connected, gone, lagging
}

/// Reports of clients that connect, disconnect or lag, delivered between other work.
final class ClientReports {
  /// Called for each report.
  var observer: (ClientEvent, _ client: Int, _ user: UInt32) -> Void = { _, _, _ in }
  private var pending: [(ClientEvent, client: Int, user: UInt32)] = []

  var isEmpty: Bool { pending.isEmpty }

  /// Queues a report until no events are being written.
  func note(_ event: ClientEvent, client: Int, user: UInt32) { pending.append((event, client, user)) }

  /// Delivers the queued reports.
  func report() {
    let events = pending
    pending.removeAll()
    for (event, client, user) in events { observer(event, client, user) }
  }
}

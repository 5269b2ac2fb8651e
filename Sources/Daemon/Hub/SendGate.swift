/// Holds up those who send to what a client listens to, while that client has no room for more.
final class SendGate {
  private let outbox: Outbox
  private var waiting = WaitingSenders()

  init(_ outbox: Outbox) { self.outbox = outbox }

  /// Whether a client has to wait here before it sends; nobody waits for itself.
  func isShut(for sender: Outbox) -> Bool { outbox !== sender && outbox.isFull }

  /// Lets a sender go on once there is room.
  func wait(_ sender: any Sender) {
    if waiting.isEmpty { outbox.onRoom = { [weak self] in self?.release() } }
    waiting.append(sender)
  }

  /// Lets everybody go on who waits here.
  func release() {
    outbox.onRoom = nil
    waiting.release()
  }
}

/// A gate that pauses senders to a client's signals while its send buffer is full.
final class SendGate {
  private let sendBuffer: SendBuffer
  private var waiting = WaitingSenders()

  init(_ sendBuffer: SendBuffer) { self.sendBuffer = sendBuffer }

  /// Indicates that a client has to wait before it sends; a client never waits for itself.
  func isShut(for sender: SendBuffer) -> Bool { sendBuffer !== sender && sendBuffer.isFull }

  /// Queues a sender until there is space in the send buffer.
  func wait(_ sender: any Sender) {
    if waiting.isEmpty { sendBuffer.onSpace = { [weak self] in self?.release() } }
    waiting.append(sender)
  }

  /// Resumes all waiting senders.
  func release() {
    sendBuffer.onSpace = nil
    for sender in waiting.take() { sender.proceed() }
  }
}

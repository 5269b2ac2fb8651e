import Glibc
import Linux
import TestSupport

/// A broker of MQTT 5 that takes clients, and answers subscriptions once the test lets it.
final class ScriptedBroker: Sendable {
  /// The packets of all clients in order, but for those of acknowledged messages.
  let packets = Monitor<[String]>([])
  let port: UInt16
  private let listener: TCPListener
  private let answersSubscriptions = Monitor(false)
  private let answersPublications = Monitor(true)
  private let unanswered = Monitor<[(socket: Int32, answer: [UInt8])]>([])
  private let sockets = Monitor<[Int32]>([])
  private let farewell: [UInt8]?

  /// - Parameter farewell: The bytes before the end of each connection, which comes once it is accepted; `nil` for none.
  init(farewell: [UInt8]? = nil) throws {
    self.farewell = farewell
    listener = try TCPListener(host: "127.0.0.1", port: 0)
    port = listener.port
    try listener.descriptor.setBlocking(true)
    let number = listener.descriptor.number
    _ = try Thread("test broker") { [self] in
      while true {
        let client = accept(number, nil, nil)
        if client == -1 { return }
        sockets.withLock { $0.append(client) }
        _ = try? Thread("test broker") { [self] in serve(OwnedDescriptor(owning: client)) }
      }
    }
  }

  /// Answers the subscriptions that wait and those that come, or lets those that come wait.
  func answerSubscriptions(_ answers: Bool = true) {
    answersSubscriptions.withLock { $0 = answers }
    answersSubscriptions.ring()
  }

  /// Answers the messages that wait and those that come, or lets those that come wait.
  func answerPublications(_ answers: Bool = true) {
    answersPublications.withLock { $0 = answers }
    if !answers { return }
    let waiting = unanswered.withLock { unanswered in
      defer { unanswered = [] }
      return unanswered
    }
    for (socket, answer) in waiting { try? Transfer(socket).writeAll(answer) }
  }

  /// Ends the connections.
  func hangUp() {
    sockets.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  func close() {
    answerSubscriptions()
    shutdown(listener.descriptor.number, Int32(SHUT_RDWR))
  }

  private func serve(_ client: consuming OwnedDescriptor) {
    // Another test's descriptor can have the number of one that is closed.
    defer {
      sockets.withLock { sockets in sockets.removeAll { $0 == client.number } }
      unanswered.withLock { unanswered in unanswered.removeAll { $0.socket == client.number } }
    }
    let transfer = Transfer(client.number)
    var bytes: [UInt8] = []
    var name = ""
    while true {
      while bytes.count < 2 || bytes.count < 2 + Int(bytes[1]) {
        guard let more = try? transfer.read(upTo: 1024), !more.isEmpty else { return }
        bytes += more
      }
      let body = Array(bytes[2..<2 + Int(bytes[1])])
      let type = bytes[0] >> 4
      bytes.removeFirst(2 + body.count)
      switch type {
      case 1:
        // The name follows ten bytes and the properties.
        let properties = Int(body[10])
        name = String(decoding: body[(13 + properties)..<(13 + properties + Int(body[12 + properties]))], as: UTF8.self)
        note("CONNECT", name)
        // CONNACK: accepted, without a session and without properties.
        try? transfer.writeAll([0x20, 3, 0, 0, 0] + (farewell ?? []))
        if farewell != nil { return }
      case 3:
        note("PUBLISH", name)
        let topic = Int(body[1])
        let answer: [UInt8] = [0x40, 2, body[2 + topic], body[3 + topic]]
        guard answersPublications.withLock({ $0 }) else {
          unanswered.withLock { $0.append((client.number, answer)) }
          continue
        }
        try? transfer.writeAll(answer)
      case 8:
        note("SUBSCRIBE", name)
        _ = answersSubscriptions.wait(until: nil) { $0 ? true : nil }
        note("SUBACK", name)
        try? transfer.writeAll([0x90, 4, body[0], body[1], 0, 1])
      case 14: note("DISCONNECT", name)
      default: break
      }
    }
  }

  private func note(_ packet: String, _ client: String) { packets.withLock { $0.append("\(client) \(packet)") } }
}

import Foundation
import Glibc

@testable import Cluster

/// A connection to a nats-server, by the protocol's own lines.
final class NATSClient: ServerChannel {
  private let socket: Int32
  private var received: [UInt8] = []
  private var lastSubscription: UInt32 = 0
  private var handlers: [UInt32: (IncomingMessage) -> Void] = [:]
  /// The prefix of the subjects for replies, which only this connection has.
  let inbox = "_INBOX.\(UUID().uuidString)"
  private var replies: [String: (IncomingMessage) -> Void] = [:]
  private var lastReply = 0

  struct Failed: Error {}

  init(port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failed() }
    write(#"CONNECT {"headers":true,"no_responders":true,"verbose":false}"# + "\r\n")
    subscribe("\(inbox).*") { [unowned self] message in replies[message.subject]?(message) }
  }

  deinit { close(socket) }

  private func write(_ text: String) { write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(socket, $0.baseAddress, $0.count) }
      precondition(count > 0, "the server has closed the connection")
      rest = rest.dropFirst(count)
    }
  }

  /// Subscribes; the subjects of one connection must not overlap.
  @discardableResult
  func subscribe(_ subject: String, _ handler: @escaping (IncomingMessage) -> Void) -> UInt32 {
    lastSubscription += 1
    handlers[lastSubscription] = handler
    write("SUB \(subject) \(lastSubscription)\r\n")
    return lastSubscription
  }

  func unsubscribe(_ number: UInt32) {
    handlers[number] = nil
    write("UNSUB \(number)\r\n")
  }

  func publish(_ message: OutgoingMessage, reply: String = "") {
    guard !message.headers.isEmpty else {
      return write(
        Array("PUB \(message.subject) \(reply) \(message.payload.count)\r\n".utf8) + message.payload + [13, 10])
    }
    let lines = message.headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    let headers = Array("NATS/1.0\r\n\(lines)\r\n".utf8)
    let sizes = "\(headers.count) \(headers.count + message.payload.count)"
    write(Array("HPUB \(message.subject) \(reply) \(sizes)\r\n".utf8) + headers + message.payload + [13, 10])
  }

  func request(_ message: OutgoingMessage, _ handler: @escaping (IncomingMessage) -> Void) {
    lastReply += 1
    let reply = "\(inbox).\(lastReply)"
    replies[reply] = handler
    publish(message, reply: reply)
  }

  func receive(within time: Duration) throws(ServerFailure) {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(max(0, time / .milliseconds(1)))) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(socket, &bytes, bytes.count)
    guard count > 0 else { throw ServerFailure("the server has closed the connection") }
    received += bytes[..<count]
    while takeMessage() {}
  }

  /// Takes a whole line, with its payload, from what was received.
  private func takeMessage() -> Bool {
    guard let end = received.firstIndex(of: 10) else { return false }
    let words = String(decoding: received[..<(end - 1)], as: UTF8.self).split(separator: " ").map(String.init)
    switch words.first {
    case "PING": write("PONG\r\n")
    case "MSG", "HMSG":
      let sizes = words.suffix(words[0] == "MSG" ? 1 : 2).compactMap { Int($0) }
      guard let total = sizes.last, received.count >= end + 1 + total + 2 else { return false }
      let body = received[(end + 1)..<(end + 1 + total)]
      let headers = words[0] == "MSG" ? 0 : sizes[0]
      let reply = words.count - sizes.count > 3 ? words[3] : nil
      received.removeFirst(end + 1 + total + 2)
      UInt32(words[2]).flatMap { handlers[$0] }?(
        message(words[1], reply, body.prefix(headers), Array(body.dropFirst(headers))))
      return true
    default: break
    }
    received.removeFirst(end + 1)
    return true
  }

  private func message(
    _ subject: String, _ reply: String?, _ headers: ArraySlice<UInt8>, _ payload: [UInt8]
  ) -> IncomingMessage {
    let lines = String(decoding: headers, as: UTF8.self).split(separator: "\r\n")
    let status = lines.first.map { $0.split(separator: " ", maxSplits: 2) } ?? []
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    return IncomingMessage(
      subject: subject, reply: reply, status: status.count > 1 ? Int(status[1]) : nil,
      description: status.count > 2 ? String(status[2]) : "", headers: fields, payload: payload)
  }
}

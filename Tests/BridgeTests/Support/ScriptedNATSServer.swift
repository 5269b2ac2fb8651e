import Glibc
import Linux

/// A NATS server that takes messages, and answers pings and requests as the test wants.
final class ScriptedNATSServer: Sendable {
  /// Returns the answer to a request, or `nil` for none.
  typealias Responder = @Sendable (_ subject: String, _ payload: String) -> String?

  let port: UInt16
  /// The subjects that clients have published to, in order.
  let published = Monitor<[String]>([])
  private let listener: TCPListener
  private let responder: Responder
  /// The number of pings that may be answered, beside the first of each connection.
  private let pings = Monitor(0)

  init(_ responder: @escaping Responder = { _, _ in nil }) throws {
    self.responder = responder
    listener = try TCPListener(host: "127.0.0.1", port: 0)
    port = listener.port
    try listener.descriptor.setBlocking(true)
    _ = try Thread("nats server") { [self] in
      while true {
        let client = accept(listener.descriptor.number, nil, nil)
        if client == -1 { return }
        _ = try? Thread("nats client") { [self] in try? serve(OwnedDescriptor(owning: client)) }
      }
    }
  }

  /// Answers some of the pings that come or have come.
  func answerPings(_ count: Int) {
    pings.withLock { $0 += count }
    pings.ring()
  }

  func close() {
    answerPings(1_000)
    shutdown(listener.descriptor.number, Int32(SHUT_RDWR))
  }

  private func serve(_ socket: consuming OwnedDescriptor) throws {
    let client = Transfer(socket.number)
    var bytes: [UInt8] = []
    var subscriptions: [(prefix: Substring, number: Substring)] = []
    var isNew = true
    func more() throws -> Bool {
      guard let chunk = try client.read(upTo: 65536), !chunk.isEmpty else { return false }
      bytes += chunk
      return true
    }
    try client.writeAll("INFO {\"max_payload\":1048576,\"headers\":true,\"version\":\"2.10.0\"}\r\n")
    while true {
      while bytes.firstIndex(of: 10) == nil { guard try more() else { return } }
      let end = bytes.firstIndex(of: 10) ?? 0
      let words = String(decoding: bytes[..<max(0, end - 1)], as: UTF8.self).split(separator: " ")
      bytes.removeFirst(end + 1)
      switch words.first {
      case "PING":
        if !isNew { pings.wait(until: nil) { count -> Void? in if count > 0 { count -= 1 } else { nil } } }
        isNew = false
        try client.writeAll("PONG\r\n")
      case "SUB": subscriptions.append((words[1].prefix { $0 != "*" && $0 != ">" }, words.last ?? ""))
      case "PUB", "HPUB":
        let length = words.last.flatMap { Int($0) } ?? 0
        while bytes.count < length + 2 { guard try more() else { return } }
        let payload = String(decoding: bytes[..<length], as: UTF8.self)
        bytes.removeFirst(length + 2)
        let subject = String(words[1])
        published.withLock { $0.append(subject) }
        guard words[0] == "PUB", words.count == 4, let answer = responder(subject, payload) else { continue }
        guard let number = subscriptions.first(where: { words[2].hasPrefix($0.prefix) })?.number else { continue }
        try client.writeAll("MSG \(words[2]) \(number) \(answer.utf8.count)\r\n\(answer)\r\n")
      default: break
      }
    }
  }
}

internal import Linux

extension WaitingClients {
  private static let answer = {
    let text = "the gateway failed to start; see its log\n"
    return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: 3\r\n"
      + "Connection: close\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
  }()

  /// Refuses each request that waits at the sockets of the service manager, if there are any and they are not in use.
  static func turnAway() {
    let inherited = (try? ServiceManager.takeDescriptors()) ?? []
    turnAway(from: inherited.map(\.number)) { client in
      // The request is read first: some clients take an answer before it for an error.
      dropInput(of: client)
      _ = try? client.transfer.writeAll(answer)
      try? UnixSocket.shutDownWriting(client)
      for _ in 0..<16 { if !dropInput(of: client) { break } }
    }
  }
}

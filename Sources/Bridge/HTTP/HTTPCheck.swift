internal import JSON
internal import Linux

/// A try of a connection by HTTP, which changes nothing there: a request for the head of its base path.
final class HTTPCheck: ConnectionCheck {
  let connection: ConnectionDeclaration
  private var pool: HTTPTransferPool?
  private var transfer: HTTPTransfer?

  init(_ connection: ConnectionDeclaration) { self.connection = connection }

  /// Calls with what was found.
  func run(loop: EventLoop, poller: Poller, found: @escaping (CheckFinding) -> Void) {
    do {
      let settings = try HTTPSettings(connection.settings)
      var request = try HTTPRequests.request(["path": "/"], settings)
      request.url = "\(settings.origin)\(settings.prefix.isEmpty ? "/" : settings.prefix)"
      request.method = "HEAD"
      let pool = try HTTPTransferPool(settings.transfer, loop: loop, poller: poller)
      self.pool = pool
      let address = settings.transfer.unixSocket.map { "unix:\($0)" } ?? "\(settings.origin)\(settings.prefix)"
      guard let transfer = pool.start(request) else { return found(finding("no memory", isGood: false)) }
      self.transfer = transfer
      transfer.ended = { [self] failure in
        if let failure {
          let message = HTTPAnswers.failure(failure, settings).message
          return found(finding("\(address) away: \(message)", isGood: false))
        }
        let status = transfer.head?.status ?? 0
        let text = "HTTP/\(transfer.version ?? "?"), \(HTTPStatus.text(of: status))"
        // Without credentials, 403 is also the answer for a folder that has no page to show.
        let isRefused = [401, 407].contains(status) || status == 403 && settings.presentsCredentials
        found(finding("\(address) \(isRefused ? "refuses the bridge" : "connected"): \(text)", isGood: !isRefused))
      }
    } catch {
      let reason = (error as? TaskFailure)?.message ?? "\(error)"
      found(finding("cannot be used: \(reason)", isGood: false))
    }
  }
}

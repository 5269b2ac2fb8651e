internal import CNATS
internal import JSON
internal import Linux

/// A try of a connection to NATS servers: it logs in, and leaves.
final class NATSCheck: ConnectionCheck {
  let connection: ConnectionDeclaration
  private var call: BackgroundCall<Result<String, TaskFailure>>?

  init(_ connection: ConnectionDeclaration) { self.connection = connection }

  func run(loop: EventLoop, poller: Poller, found: @escaping (CheckFinding) -> Void) {
    do {
      let settings = try NATSSettings(connection)
      let inbox = try NATSInbox(mostMessages: 1)
      call = BackgroundCall(loop: loop, name: "nats-check") {
        do throws(TaskFailure) {
          let link = try NATSLink(settings, inbox)
          var buffer = [CChar](repeating: 0, count: 256)
          natsConnection_GetConnectedUrl(link.connection, &buffer, buffer.count)
          return .success(
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        } catch { return .failure(error) }
      } done: { [self] result in
        switch result {
        case .success(let server): found(finding("\(server) connected", isGood: true))
        case .failure(let failure):
          found(finding("\(settings.address) away: \(settings.redacted(failure.message))", isGood: false))
        }
      }
    } catch {
      let reason = (error as? TaskFailure)?.message ?? "\(error)"
      found(finding("cannot be used: \(reason)", isGood: false))
    }
  }
}

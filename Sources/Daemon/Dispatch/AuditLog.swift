import Linux
import WireProtocol

/// Who did what: a line of the log for each act that changes what the daemon does, and for each that was denied.
final class AuditLog {
  /// Identifies these lines in the journal, whatever they say: `journalctl MESSAGE_ID=…`.
  static let messageID = "0f6c1a5e7d8b4c2f9a3e5b7c9d1f2a64"
  /// More lines a second than this are only counted.
  private static let allowance = 10

  private let log: Log
  private var lines = Repetition(allowance: allowance)

  init(_ log: Log) { self.log = log }

  /// Tells of an act, and how it went; of other requests it says nothing.
  func note(_ request: Request, by client: ClientIdentity, failure: WireError? = nil) {
    guard let act = request.act, failure?.code != .denied else { return }
    write(act + ", asked for by \(client)" + (failure.map { ": \($0.message)" } ?? ""), request.isFrequent, client)
  }

  /// Tells of a request that its client has no right to.
  func note(denied refusal: Refusal, to client: ClientIdentity) {
    guard refusal.error.code == .denied else { return }
    let op = refusal.op.map { "\($0), " } ?? ""
    write(op + "denied to \(client): \(refusal.error.message)", false, client)
  }

  /// Tells of a reload that a signal asked for.
  func noteHangUp() { log.notice("reload, asked for by SIGHUP", ("message_id", Self.messageID)) }

  private func write(_ text: String, _ isFrequent: Bool, _ client: ClientIdentity) {
    guard let unsaid = lines.next(at: .now()) else { return }
    let message = text + (unsaid == 0 ? "" : "; \(unsaid) more such lines before")
    let credentials = client.credentials
    let (user, process) = (("uid", "\(credentials.userID)"), ("pid", "\(credentials.processID)"))
    if isFrequent {
      log.info(message, user, process, ("message_id", Self.messageID))
    } else {
      log.notice(message, user, process, ("message_id", Self.messageID))
    }
  }
}

extension ClientIdentity: CustomStringConvertible {
  /// The process has no number where it is of another namespace.
  var description: String {
    "user \(credentials.userID)" + (credentials.processID > 0 ? ", process \(credentials.processID)" : "")
  }
}

extension Request {
  /// What it does to the daemon, in a word and its object.
  fileprivate var act: String? {
    switch self {
    case .reload: "reload"
    case .restart(let request): "restart of \(request.signal ?? request.graph ?? "")"
    case .call(let request): "call of \(request.action)"
    default: nil
    }
  }

  /// Whether it belongs to the daily run of things.
  fileprivate var isFrequent: Bool { if case .call = self { true } else { false } }
}

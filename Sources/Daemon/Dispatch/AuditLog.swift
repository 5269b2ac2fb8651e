import Linux
import WireProtocol

/// The audit log: a line for each action that changes what the daemon does, and for each denied request.
final class AuditLog {
  /// The id of these lines in the system journal: `journalctl MESSAGE_ID=…`.
  static let messageID = "0f6c1a5e7d8b4c2f9a3e5b7c9d1f2a64"
  /// The most lines of a kind in a second; more are only counted.
  private static let allowance = 10

  /// The kinds of lines that are counted separately, so that many of one cannot hide another.
  private enum Kind: CaseIterable {
    case act, call, denial

    /// Calls are routine.
    var level: LogLevel { self == .call ? .info : .notice }
  }

  /// The number of denied requests so far.
  var denials: UInt64 = 0
  private let log: Log
  private var lines = Dictionary(
    uniqueKeysWithValues: Kind.allCases.map { ($0, Repetition(allowance: allowance)) })

  init(_ log: Log) { self.log = log }

  /// Logs a request that changes something and its outcome; ignores other requests.
  func note(_ request: some DaemonRequest, by client: ClientIdentity, failure: WireError? = nil) {
    guard let effect = request.effect, failure?.code != .denied else { return }
    write(
      request is CallRequest ? .call : .act,
      effect + ", requested by \(client)" + (failure.map { ": \($0.message)" } ?? ""), client)
  }

  /// Logs a request that its client has no permission for.
  func note(denied refusal: Refusal, to client: ClientIdentity) {
    guard refusal.error.code == .denied else { return }
    denials += 1
    let op = refusal.op.map { "\($0), " } ?? ""
    write(.denial, op + "denied to \(client): \(refusal.error.message)", client)
  }

  /// Logs a reload by a signal.
  func noteHangUp() { log.notice("reload, requested by SIGHUP", ("message_id", Self.messageID)) }

  private func write(_ kind: Kind, _ text: String, _ client: ClientIdentity) {
    guard let others = lines[kind]?.ending(at: .now()) else { return }
    let credentials = client.credentials
    log.write(
      kind.level, text + others,
      [("uid", "\(credentials.userID)"), ("pid", "\(credentials.processID)"), ("message_id", Self.messageID)])
  }
}

extension ClientIdentity: CustomStringConvertible {
  /// A process of another namespace has no number.
  var description: String {
    "user \(credentials.userID)" + (credentials.processID > 0 ? ", process \(credentials.processID)" : "")
  }
}

import Linux
import WireProtocol

/// The record of acts: a line of the log for each that changes what the daemon does, and for each that was denied.
final class AuditLog {
  /// Identifies these lines in the journal, whatever they say: `journalctl MESSAGE_ID=…`.
  static let messageID = "0f6c1a5e7d8b4c2f9a3e5b7c9d1f2a64"
  /// More lines of a kind a second than this are only counted.
  private static let allowance = 10

  /// The acts that are counted separately, so that nobody hides one behind many of another.
  private enum Kind: CaseIterable {
    case act, call, denial

    /// Calls belong to the daily run of things.
    var level: LogLevel { self == .call ? .info : .notice }
  }

  /// How many requests were denied so far.
  var denials: UInt64 = 0
  private let log: Log
  private var lines = Dictionary(
    uniqueKeysWithValues: Kind.allCases.map { ($0, Repetition(allowance: allowance)) })

  init(_ log: Log) { self.log = log }

  /// Tells of an act, and how it went; of other requests it says nothing.
  func note(_ request: Request, by client: ClientIdentity, failure: WireError? = nil) {
    guard let act = request.act, failure?.code != .denied else { return }
    let kind: Kind = if case .call = request { .call } else { .act }
    write(kind, act + ", asked for by \(client)" + (failure.map { ": \($0.message)" } ?? ""), client)
  }

  /// Tells of a request that its client has no right to.
  func note(denied refusal: Refusal, to client: ClientIdentity) {
    guard refusal.error.code == .denied else { return }
    denials += 1
    let op = refusal.op.map { "\($0), " } ?? ""
    write(.denial, op + "denied to \(client): \(refusal.error.message)", client)
  }

  /// Tells of a reload that a signal asked for.
  func noteHangUp() { log.notice("reload, asked for by SIGHUP", ("message_id", Self.messageID)) }

  private func write(_ kind: Kind, _ text: String, _ client: ClientIdentity) {
    guard let unsaid = lines[kind]?.next(at: .now()) else { return }
    let credentials = client.credentials
    log.write(
      kind.level, text + (unsaid == 0 ? "" : "; \(unsaid) more such lines before"),
      [("uid", "\(credentials.userID)"), ("pid", "\(credentials.processID)"), ("message_id", Self.messageID)])
  }
}

extension ClientIdentity: CustomStringConvertible {
  /// The process has no number where it is of another namespace.
  var description: String {
    "user \(credentials.userID)" + (credentials.processID > 0 ? ", process \(credentials.processID)" : "")
  }
}

extension Request {
  /// Its effect on the daemon, in a word and its object.
  fileprivate var act: String? {
    switch self {
    case .reload(let body): body.dryRun == true ? nil : "reload"
    case .restart(let request): "restart of \((request.signal ?? request.graph ?? "").quoted)"
    case .call(let request): "call of \(request.action.quoted)"
    default: nil
    }
  }
}

internal import WireProtocol

/// The rights of a client: the signals to read and to send to, the actions to call.
///
/// They narrow what the daemon allows this program's user, and never widen it.
struct Grant: Equatable {
  /// Names that are granted.
  enum Names: Equatable {
    case all
    case patterns([SignalPattern])

    private static let own = "signalbox."

    func contains(_ name: String) -> Bool {
      switch self {
      case .all: true
      // As in the protocol, a pattern means the daemon's own signals only if it names their graph.
      case .patterns(let patterns):
        patterns.contains { $0.matches(name) && (!name.hasPrefix(Self.own) || $0.text.hasPrefix(Self.own)) }
      }
    }
  }

  var reads = Names.patterns([])
  var sends = Names.patterns([])
  var calls = Names.patterns([])
  /// Whether the counts of the daemon and of all signals may be seen.
  var seesStats = false

  /// For those whom a socket's permissions let in.
  static let everything = Grant(reads: .all, sends: .all, calls: .all, seesStats: true)

  /// Whether a signal or an action may be known at all.
  func knows(_ name: String) -> Bool { reads.contains(name) || sends.contains(name) || calls.contains(name) }

  func requireRead(_ name: String) throws(Problem) {
    if reads.contains(name) { return }
    throw knows(name) ? .denied("this token may not read \(name.quoted)") : .unknownSignal(name)
  }

  func requireSend(_ name: String) throws(Problem) {
    if sends.contains(name) { return }
    throw knows(name) ? .denied("this token may not send to \(name.quoted)") : .unknownSignal(name)
  }

  func requireCall(_ name: String) throws(Problem) {
    if calls.contains(name) { return }
    if knows(name) { throw .denied("this token may not call \(name.quoted)") }
    throw Problem(404, ErrorCode.unknownAction.rawValue, "no action \(name.quoted)")
  }

  /// - Parameter what: What is to be seen.
  func requireStats(for what: String = "what is counted") throws(Problem) {
    if !seesStats { throw .denied("this token may not see \(what): its line lacks \"stats\"") }
  }
}

internal import GraphModel
internal import JSON
internal import WireProtocol

/// The rights of a client: the signals to read and to send to, the actions to call.
///
/// They restrict what the daemon allows this program's user, and never extend it.
struct Grant: Equatable {
  /// The names that are granted.
  enum Names: Equatable {
    case all
    case patterns([SignalPattern])

    private static let own = "signalbox."

    func contains(_ name: String) -> Bool {
      switch self {
      case .all: true
      // As in the protocol, a pattern covers the daemon's own signals only if it names their graph.
      case .patterns(let patterns):
        patterns.contains { $0.matches(name) && (!name.hasPrefix(Self.own) || $0.text.hasPrefix(Self.own)) }
      }
    }
  }

  /// The name of the client's token, if it needs one.
  var token: String?
  var reads = Names.patterns([])
  var sends = Names.patterns([])
  var calls = Names.patterns([])
  /// The permission to see the statistics of the daemon and of all signals.
  var seesStats = false

  /// The rights of clients that are admitted by the permissions of a socket.
  static let everything = Grant(reads: .all, sends: .all, calls: .all, seesStats: true)

  /// Indicates that the client may know of a signal or an action.
  func knows(_ name: String) -> Bool { reads.contains(name) || sends.contains(name) || calls.contains(name) }

  /// Indicates that the client may know of an action: by its name, or by one of its signals.
  func knowsAction(_ name: String) -> Bool {
    knows(name) || ActionSignal.visible.contains { knows($0.name(of: name)) }
  }

  func requireRead(_ name: String) throws(Problem) {
    if reads.contains(name) { return }
    throw knows(name) ? .denied("no permission to read \(name.quoted)") : .unknownSignal(name)
  }

  func requireSend(_ name: String) throws(Problem) {
    if sends.contains(name) { return }
    throw knows(name) ? .denied("no permission to send to \(name.quoted)") : .unknownSignal(name)
  }

  func requireCall(_ name: String) throws(Problem) {
    if calls.contains(name) { return }
    if knows(name) { throw .denied("no permission to call \(name.quoted)") }
    throw Problem(404, ErrorCode.unknownAction.rawValue, "no action \(name.quoted)")
  }

  /// - Parameter what: The object of the permission, for the message.
  func requireStats(for what: String = "the statistics") throws(Problem) {
    if !seesStats { throw .denied("no permission to see \(what): the line of this token lacks \"stats\"") }
  }
}

extension Grant {
  /// Returns the state of a signal, as `list` and `describe` have it, without the names that the client may not know.
  func redacted(_ state: JSONObject) -> JSONObject {
    var state = state
    switch state["calls"]?.plain {
    case .array(let calls)?: state["calls"] = .array(calls.map(withoutHiddenAction))
    case .object(var calls)?:
      calls["error"] = calls["error"].map(withoutHiddenAction)
      state["calls"] = .object(calls)
    default: break
    }
    guard case .array(let pauses)? = state["paused_by"]?.plain else { return state }
    let known = pauses.filter { if case .object(let pause) = $0.plain { knows(pause.text("signal")) } else { false } }
    state["paused_by"] = known.isEmpty ? nil : .array(known.map(withoutHiddenAction))
    return state
  }

  private func withoutHiddenAction(_ figures: JSONValue) -> JSONValue {
    guard case .object(var members) = figures.plain, members["action"] != nil, !knowsAction(members.text("action"))
    else { return figures }
    members["action"] = nil
    return .object(members)
  }
}

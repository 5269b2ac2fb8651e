internal import Linux

/// The state of a connection, reported to the daemon and the log when it changes.
final class ConnectionState {
  /// Called with the reason when it goes away, and with `nil` when it is there.
  var changed: (String?) -> Void = { _ in }

  private enum State: Equatable {
    case unknown, connected
    case away(String)
  }

  /// The field of the records that a daemon writes itself, and leaves out (`ChildBridge`).
  private static let field = "state"

  private let name: String
  private let log: Log
  private var state = State.unknown
  /// The reasons of the present outage that the log has.
  private var logged: Set<String> = []
  private static let mostLogged = 8

  init(_ name: String, log: Log) {
    self.name = name
    self.log = log
  }

  var isAway: Bool { if case .away = state { true } else { false } }

  func connected() {
    guard state != .connected else { return }
    if isAway {
      log.notice("connection \(name) is there again", (Self.field, "connected"))
    } else {
      log.info("connection \(name) is there", (Self.field, "connected"))
    }
    state = .connected
    logged = []
    changed(nil)
  }

  /// Notes a failure; the log has each reason of an outage once.
  func away(_ reason: String) {
    guard state != .away(reason) else { return }
    if logged.count < Self.mostLogged, logged.insert(reason).inserted {
      log.warning("connection \(name) is away: \(reason)", (Self.field, "away"))
    }
    state = .away(reason)
    changed(reason)
  }

  /// Tells the state again, to a daemon that does not know it.
  func tell() {
    switch state {
    case .unknown: break
    case .connected: changed(nil)
    case .away(let reason): changed(reason)
    }
  }
}

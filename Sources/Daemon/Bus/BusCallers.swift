import Base
import GraphModel
import Linux
import WireProtocol
import World

/// The clients on one connection to the bus that send to signals.
///
/// The bus is asked once for the credentials of each, and reports when they disconnect.
final class BusCallers: MatchListener {
  /// The most clients to remember.
  private static let most = 1024
  /// The disappearance of any connection.
  private static let departures = MatchRule(
    sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
    member: "NameOwnerChanged", arguments: [2: ExactText("")])

  let dispatcher: Dispatcher
  let ledger: Ledger
  private let link: BusLink
  private let socket: () -> String?
  private let log: Log
  private var callers: [String: BusCaller] = [:]
  private var resuming: [BusCaller] = []
  private var match: SharedMatch?
  /// Called when a paused client can continue; `proceed` is due then.
  var wantsToResume: () -> Void = {}

  /// - Parameter socket: Returns the path of the socket for clients.
  init(_ dispatcher: Dispatcher, _ ledger: Ledger, link: BusLink, socket: @escaping () -> String?, log: Log) {
    self.dispatcher = dispatcher
    self.ledger = ledger
    self.link = link
    self.socket = socket
    self.log = log
  }

  deinit { match?.remove(self) }

  // MARK: Identification

  func add(_ send: BusSend, from name: String) {
    if let caller = callers[name] { return caller.add(send) }
    if callers.count >= Self.most {
      guard let idle = callers.values.first(where: \.isIdle) else {
        return refuse(send, BusError(WireError(.tooMany, "\(Self.most) connections on this bus are already sending")))
      }
      remove(idle)
    }
    let caller = BusCaller(name, callers: self)
    callers[name] = caller
    ask(about: caller)
    caller.add(send)
  }

  /// Listens for disconnections first, so that a client that disconnects in the meantime is not remembered.
  private func ask(about caller: BusCaller) {
    if match == nil {
      match = link.match(Self.departures)
      match?.add(self)
    }
    let name = caller.name
    link.reads.add(
      BusCall(
        { (connection) throws(BusCall.Failure) in
          try BusCall.message("GetConnectionCredentials", of: "org.freedesktop.DBus", on: connection) {
            (message) throws(BusValueError) in try message.append(strings: name)
          }
        },
        failed: { [weak self, weak caller] _ in
          if let caller { self?.refuseUnidentified(caller) }
        }
      ) { [weak self, weak caller] answer in
        guard let self, let caller else { return }
        if let credentials = PeerCredentials(answer) {
          caller.identify(credentials)
        } else {
          refuseUnidentified(caller)
        }
      })
  }

  /// Refuses a client that the bus does not identify; it may be asked again.
  private func refuseUnidentified(_ caller: BusCaller) {
    caller.end(because: WireError(.denied, "the bus does not provide the user of the sender"))
    remove(caller)
  }

  private func remove(_ caller: BusCaller) {
    caller.end()
    if callers[caller.name] === caller { callers[caller.name] = nil }
  }

  func handle(_ message: borrowing BusMessage) {
    guard message.has(signature: "sss"), let name = try? message.string(), let caller = callers[name] else { return }
    remove(caller)
  }

  /// Clients that have disconnected are then removed only when there are many.
  func matchFailed(_ reason: String) { log.warning("cannot follow disconnections on the bus: \(reason)") }

  /// Applies the limits of a reload.
  func apply(_ limits: Limits) {
    for caller in callers.values { caller.apply(limits) }
  }

  func end(because error: WireError? = nil) {
    for caller in callers.values { caller.end(because: error) }
    callers = [:]
    resuming = []
  }

  // MARK: Paused clients

  func resume(_ caller: BusCaller) {
    resuming.append(caller)
    wantsToResume()
  }

  func proceed() {
    let callers = resuming
    resuming = []
    for caller in callers { caller.carryOut() }
  }

  // MARK: Access and answers

  /// A signal without access rules for sending may be sent to by users that may open the socket.
  func refusal(of send: BusSend, to client: ClientIdentity) -> WireError? {
    if client.isPrivileged { return nil }
    guard let channel = dispatcher.hub.channel(named: send.signal, for: client), !channel.access.hasSenders else {
      return nil
    }
    if let path = socket(), FilePermissions(path: path)?.letsWrite(client.credentials) == true { return nil }
    let error = WireError(
      .denied, "no permission to send to \"\(send.signal)\": it has no access rule, and the socket is not accessible")
    dispatcher.audit.note(denied: Refusal(op: SendRequest.op, error), to: client)
    return error
  }

  func confirm(_ send: BusSend) {
    guard let answer = try? OutgoingBusMessage.answer(to: send.call) else { return }
    try? link.connection.send(answer)
    link.host.settleLater()
  }

  func refuse(_ send: BusSend, _ error: BusError) {
    guard let answer = try? OutgoingBusMessage.error(error, to: send.call) else { return }
    try? link.connection.send(answer)
    link.host.settleLater()
  }
}

extension PeerCredentials {
  private static let names = ["UnixUserID", "UnixGroupIDs", "ProcessID"]

  /// Creates the credentials from the answer of a bus; `nil` if it does not know them.
  ///
  /// Missing groups are replaced by those of the user.
  fileprivate init?(_ answer: borrowing BusMessage) {
    var user: UInt32?
    var groups: [UInt32]?
    var process: Int32 = 0
    if answer.error != nil { return nil }
    do throws(BusValueError) {
      try answer.properties(Self.names) { place, value in
        switch (Self.names[place], try? value.get()) {
        case ("UnixUserID", .integer(let number)): user = UInt32(exactly: number)
        case ("ProcessID", .integer(let number)): process = Int32(exactly: number) ?? 0
        case ("UnixGroupIDs", .list(let numbers)):
          groups = numbers.compactMap { if case .integer(let number) = $0 { UInt32(exactly: number) } else { nil } }
        default: break
        }
      }
    } catch {
      return nil
    }
    guard let user else { return nil }
    let known = groups ?? Accounts.userName(of: user).flatMap(Accounts.groupIDs) ?? []
    self.init(processID: process, userID: user, groupID: known.first ?? .max, groups: known)
  }
}

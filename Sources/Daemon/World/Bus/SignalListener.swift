import JSON
import Linux
import SignalGraph

/// A signal of an object, for one who listens to it.
final class SignalListener: BusUser, OwnerWatcher {
  private let signal: BusSignal
  private let host: BusHost
  private let receive: (BusEvent) -> Void
  private var link: BusLink?
  private var name: ServiceName?
  private var match: SharedMatch?
  private var owner: String?
  private var isGone = false
  private var isOver = false

  init(_ signal: BusSignal, host: BusHost, _ receive: @escaping (BusEvent) -> Void) {
    self.signal = signal
    self.host = host
    self.receive = receive
    host.add(self)
  }

  /// Nothing is told from now on.
  func end() {
    if isOver { return }
    isOver = true
    detach()
    host.remove(self)
  }

  func attend() {
    if isOver { return }
    if host.link !== link {
      detach()
      link = host.link
      if let link { attach(link) }
    }
    if link == nil && host.isAway { tellGone() }
  }

  private func attach(_ link: BusLink) {
    name = link.name(signal.object.name)
    match = link.match(
      MatchRule(
        sender: signal.object.name, path: signal.object.path, interface: signal.interface, member: signal.member,
        arguments: signal.arguments.filter { MatchRule.canHold($0.value) }))
    match?.add(self)
    name?.add(self)
  }

  private func detach() {
    match?.remove(self)
    match = nil
    name?.remove(self)
    name = nil
    owner = nil
    link = nil
  }

  func ownerChanged() {
    if isOver { return }
    owner = name?.owner
    if owner == nil { tellGone() } else { isGone = false }
  }

  private func tellGone() {
    if isGone { return }
    isGone = true
    receive(.gone)
  }
}

extension SignalListener: MatchListener {
  func hear(_ message: borrowing BusMessage) {
    guard let owner, message.isFrom(owner) else { return }
    do {
      let values = try message.values()
      // What the rule cannot hold is compared here.
      for (index, text) in signal.arguments where index >= values.count || values[index] != .string(text) { return }
      receive(.arguments(try values.map { value throws(SignalFailure) in try JSONValue(value, bytes: signal.bytes) }))
    } catch let error as SignalFailure {
      receive(.refused(error.about(signal.member)))
    } catch {
      receive(.refused(SignalFailure(noValue: "\(signal.member): \(error)")))
    }
  }

  func matchFailed(_ reason: String) {
    if !isOver { receive(.refused(SignalFailure(code: "bus", message: "\(signal.member): \(reason)"))) }
  }
}

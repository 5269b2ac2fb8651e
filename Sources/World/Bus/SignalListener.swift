import Base
import GraphModel
import JSON
import Linux

/// A subscription to a signal of a D-Bus object.
final class SignalListener: ServiceWatch, @unchecked Sendable {
  private let signal: BusSignal
  private var match: SharedMatch?

  init(_ signal: BusSignal, host: BusHost, _ receive: @escaping (BusEvent) -> Void) {
    self.signal = signal
    super.init(host: host, receive)
    host.add(self)
  }

  override var object: BusObject { signal.object }

  override func listen(on link: BusLink) {
    match = link.match(
      MatchRule(
        sender: object.name, path: object.path, interface: signal.interface, member: signal.member,
        arguments: signal.arguments.filter { MatchRule.canHold($0.value.text) }))
    match?.add(self)
  }

  override func stopListening() {
    match?.remove(self)
    match = nil
  }

  override func ownerIsKnown() { if owner == nil { reportGone() } else { isGone = false } }
}

extension SignalListener: MatchListener {
  func handle(_ message: borrowing BusMessage) {
    guard let owner, message.isFrom(owner) else { return }
    do {
      let values = try message.values()
      // Arguments that the rule cannot express are compared here.
      for (index, text) in signal.arguments where index >= values.count || values[index] != .string(text.text) {
        return
      }
      receive(.arguments(try values.map { value throws(SignalFailure) in try JSONValue(value, bytes: signal.bytes) }))
    } catch let error as SignalFailure {
      refuse(error.about(signal.member))
    } catch {
      refuse(SignalFailure(noValue: "\(signal.member): \(error)"))
    }
  }

  func matchFailed(_ reason: String) {
    refuse(SignalFailure(code: "bus", message: "\(signal.member): \(reason)"))
  }
}

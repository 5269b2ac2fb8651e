import GraphModel
import JSON
package import Linux

/// A call, or several in sequence, for one caller.
///
/// The timeout of one call covers all of them.
///
/// It is made even after the caller has cancelled it.
final class MethodCall: BusUser {
  /// The longest time for an answer, the default of D-Bus.
  static let timeout = Duration.seconds(25)
  /// The most calls that may wait for others on the same bus.
  private static let mostWaiting = 1024

  typealias Taker = (MethodCall, borrowing BusMessage) -> Void

  let bytes: BusBytes
  var slot = 0
  private let host: BusHost
  private let begin: (MethodCall) -> Void
  private var receive: ((BusAnswer) -> Void)?
  private var link: BusLink?
  private var call: BusCall?
  private var alarm: BusAlarm?
  private var isOverdue = false
  private var isOver = false

  /// - Parameter begin: Makes the first call (`make`), once there is a connection.
  init(
    host: BusHost, bytes: BusBytes, begin: @escaping (MethodCall) -> Void, _ receive: @escaping (BusAnswer) -> Void
  ) {
    self.host = host
    self.bytes = bytes
    self.begin = begin
    self.receive = receive
    alarm = host.buses.alarms.schedule(after: Self.timeout) { [unowned self] in
      isOverdue = true
      host.wake(self)
    }
    host.add(self)
  }

  /// Discards the answer.
  func remove() { receive = nil }

  func attend() {
    if isOver { return }
    if isOverdue {
      return fail(SignalFailure(code: "bus", message: "no answer within \(Self.timeout.components.seconds) s"))
    }
    if link == nil, let current = host.link {
      if current.calls.waitingCount >= Self.mostWaiting {
        return fail(
          SignalFailure(
            code: "bus", message: "\(Self.mostWaiting) calls are already waiting on the \(host.choice.name)"))
      }
      link = current
      begin(self)
    } else if link == nil ? host.isAway : host.link !== link {
      fail(.away(host.choice))
    }
  }

  /// Makes a call.
  ///
  /// - Parameter refused: Called with the error that answers the call; the default fails the whole call.
  func make(
    _ write: @escaping BusCall.Writer,
    refused: @escaping (MethodCall, BusError) -> Void = { call, error in call.fail(SignalFailure(error)) },
    _ answered: @escaping Taker
  ) {
    let call = BusCall(
      timeout: Self.timeout, write,
      failed: { [unowned self] failure in fail(failure.described) },
      answered: { [unowned self] answer in
        if let error = answer.error { refused(self, error) } else { answered(self, answer) }
      })
    self.call = call
    link?.calls.add(call)
  }

  /// Finishes with the values of an answer.
  func finish(with answer: borrowing BusMessage) {
    do {
      let values = try answer.values()
      finish(.returned(try values.map { value throws(SignalFailure) in try JSONValue(value, bytes: bytes) }))
    } catch let error as SignalFailure {
      fail(error.about("the answer"))
    } catch {
      fail(SignalFailure(noValue: "invalid answer: \(error)"))
    }
  }

  func fail(_ failure: SignalFailure) { finish(.failed(failure)) }

  func finish(_ answer: BusAnswer) {
    if isOver { return }
    isOver = true
    alarm?.cancel()
    call?.cancel()
    let receive = receive.take()
    host.remove(self)
    receive?(answer)
  }
}

extension BusCall.Failure {
  fileprivate var described: SignalFailure {
    switch self {
    case .message(let error): SignalFailure(noValue: "invalid arguments: \(error)")
    case .system(let error): SignalFailure(code: "bus", message: "\(error)")
    }
  }
}

extension BusCall {
  /// Creates the message of a call.
  ///
  /// - Parameter destination: The default is the bus itself, and its object.
  package static func message(
    _ member: String, of interface: String, at path: String = "/org/freedesktop/DBus",
    _ destination: String = "org.freedesktop.DBus", on connection: BusConnection, activates: Bool = false,
    _ write: (inout OutgoingBusMessage) throws(BusValueError) -> Void = { (_) throws(BusValueError) in }
  ) throws(Failure) -> OutgoingBusMessage {
    var message: OutgoingBusMessage
    do throws(Errno) {
      message = try .call(of: member, interface, at: path, of: destination, on: connection, activates: activates)
    } catch {
      throw .system(error)
    }
    do throws(BusValueError) { try write(&message) } catch { throw .message(error) }
    return message
  }
}

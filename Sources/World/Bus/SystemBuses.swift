import Base
import GraphEngine
package import GraphModel
package import JSON
package import Linux
package import Signals

/// The message buses that graphs watch and call.
///
///     SystemBuses → BusHost      one for each bus, shared by its users
///                   BusLink      its connection while that is ready: matches, name owners, pending calls
///                   MatchTable   its match rules
///     users         ServiceWatch (PropertyWatch, SignalListener), MethodCall
///
/// A bus is connected to on demand. Events are delivered in slices of work between turns.
package final class SystemBuses: BusWorld {
  /// The most warnings that are remembered to avoid repeating them.
  private static let mostWarnings = 1000

  let poller: Poller
  let work: CooperativeTasks
  let log: Log
  package let alarms: BusAlarms
  /// The longest time for a bus to accept a connection.
  var patience = Duration.seconds(10)
  private let notices = Notices()
  private var hosts: [BusChoice: BusHost] = [:]
  private var warnings: Set<String> = []
  private var isClosed = false

  init(loop: EventLoop, poller: Poller, work: CooperativeTasks, log: Log) {
    self.poller = poller
    self.work = work
    self.log = log
    alarms = BusAlarms(loop: loop)
  }

  /// Creates buses on a loop that has no other work.
  package convenience init(loop: EventLoop, poller: Poller, log: Log) {
    self.init(loop: loop, poller: poller, work: CooperativeTasks(loop: loop), log: log)
  }

  /// The number of open connections.
  var connectionCount: Int { hosts.values.count { $0.isOpen } }

  /// Closes all connections without delivering anything more.
  func close() {
    isClosed = true
    for host in hosts.values { host.close() }
    alarms.close()
    hosts = [:]
  }

  package func host(_ choice: BusChoice) -> BusHost {
    if let host = hosts[choice] { return host }
    let host = BusHost(choice, buses: self)
    hosts[choice] = host
    return host
  }

  func warn(once text: String) {
    if warnings.count < Self.mostWarnings, warnings.insert(text).inserted { log.warning(text) }
  }

  // MARK: Watches

  package func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    for group in properties.groups {
      if let fault = fault(of: properties.object, group.interface) {
        return report { receive(.refused(fault)) }
      }
    }
    if isClosed { return AnyDisposable() }
    return PropertyWatch(properties, host: host(properties.object.bus), receive)
  }

  package func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    if let fault = fault(of: signal.object, signal.interface, signal.member) {
      return report { receive(.refused(fault)) }
    }
    if isClosed { return AnyDisposable() }
    return SignalListener(signal, host: host(signal.object.bus), receive)
  }

  // MARK: Calls

  package func call(
    _ method: BusMethod, with arguments: [JSONValue], _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    do throws(SignalFailure) {
      if let fault = fault(of: method.object, method.interface, method.member) { throw fault }
      let arguments = try BusArguments(arguments, as: method.signature, bytes: method.bytes)
      if isClosed { throw .away(method.object.bus) }
      return begin(method.object, method.bytes, receive) { call in
        call.make(
          { (connection) throws(BusCall.Failure) in
            try BusCall.message(
              method.member, of: method.interface, at: method.object.path, method.object.name, on: connection,
              activates: method.activates
            ) { (message) throws(BusValueError) in try arguments.write(to: &message) }
          }
        ) { call, answer in call.finish(with: answer) }
      }
    } catch {
      return report { receive(.failed(error)) }
    }
  }

  private func begin(
    _ object: BusObject, _ bytes: BusBytes, _ receive: @escaping (BusAnswer) -> Void,
    _ begin: @escaping (MethodCall) -> Void
  ) -> any Disposable {
    let call = MethodCall(host: host(object.bus), bytes: bytes, begin: begin, receive)
    return AnyDisposable { call.remove() }
  }

  /// The type is requested unless it is given: D-Bus has several types with the same JSON form.
  package func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    let object = property.object
    if let fault = fault(of: object, property.interface) { return report { receive(.failed(fault)) } }
    if isClosed { return report { receive(.failed(.away(object.bus))) } }
    let assignment = PropertyAssignment(property: property, value: value)
    return begin(object, .text, receive) { call in assignment.begin(call) }
  }

  // MARK: Faults

  private func fault(of object: BusObject, _ interface: String, _ member: String? = nil) -> SignalFailure? {
    if !BusName.isService(object.name) { return SignalFailure(noValue: "invalid bus name “\(object.name)”") }
    if !BusName.isPath(object.path) { return SignalFailure(noValue: "invalid object path “\(object.path)”") }
    if !BusName.isInterface(interface) { return SignalFailure(noValue: "invalid interface name “\(interface)”") }
    // Names of properties are not validated: services have invalid ones.
    guard let member, !BusName.isMember(member) else { return nil }
    return SignalFailure(noValue: "invalid member name “\(member)”")
  }

  /// Delivers an event between turns, without any bus.
  private func report(_ notice: @escaping () -> Void) -> any Disposable {
    let disposable = AnyDisposable()
    notices.waiting.append { if !disposable.isDisposed { notice() } }
    work.add(notices)
    return disposable
  }
}

/// Events that do not come from a bus.
private final class Notices: CooperativeTask {
  var waiting = FirstInFirstOut<() -> Void>()
  var isWaiting = false

  func runSlice() -> Bool {
    waiting.popFirst()?()
    return !waiting.isEmpty
  }
}

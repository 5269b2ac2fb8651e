package import JSON
package import Linux
import Queues
package import ReactiveCore
package import SignalGraph

/// The message buses that graphs watch and call.
///
///     SystemBuses → BusHost      one of each bus, for all who need it
///                   BusLink      its connection while that is ready: matches, owners of names, calls under way
///                   MatchTable   its rules at the bus
///     users         ServiceWatch (PropertyWatch, SignalListener), MethodCall
///
/// A bus is connected to when somebody needs it. All is told in pieces of work between turns.
package final class SystemBuses: BusWorld {
  /// The most warnings that are remembered, so that each is given once.
  private static let mostWarnings = 1000

  let poller: Poller
  let work: Piecework
  let log: Log
  let alarms: BusAlarms
  /// How long a bus may take to welcome a connection.
  var patience = Duration.seconds(10)
  private let notices = Notices()
  private var hosts: [BusChoice: BusHost] = [:]
  private var warnings: Set<String> = []
  private var isClosed = false

  init(loop: EventLoop, poller: Poller, work: Piecework, log: Log) {
    self.poller = poller
    self.work = work
    self.log = log
    alarms = BusAlarms(loop: loop)
  }

  /// Those of a loop that has nothing else to do.
  package convenience init(loop: EventLoop, poller: Poller, log: Log) {
    self.init(loop: loop, poller: poller, work: Piecework(loop: loop), log: log)
  }

  /// How many connections are open.
  var connectionCount: Int { hosts.values.count { $0.isOpen } }

  /// Closes all connections; nobody is told anything any more.
  func close() {
    isClosed = true
    for host in hosts.values { host.close() }
    alarms.close()
    hosts = [:]
  }

  func host(_ choice: BusChoice) -> BusHost {
    if let host = hosts[choice] { return host }
    let host = BusHost(choice, buses: self)
    hosts[choice] = host
    return host
  }

  func warn(once text: String) {
    if warnings.count < Self.mostWarnings, warnings.insert(text).inserted { log.warning(text) }
  }

  // MARK: Watching

  package func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    for group in properties.groups {
      if let fault = fault(of: properties.object, group.interface) {
        return tell { receive(.refused(fault)) }
      }
    }
    if isClosed { return AnyDisposable() }
    return PropertyWatch(properties, host: host(properties.object.bus), receive)
  }

  package func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    if let fault = fault(of: signal.object, signal.interface, signal.member) {
      return tell { receive(.refused(fault)) }
    }
    if isClosed { return AnyDisposable() }
    return SignalListener(signal, host: host(signal.object.bus), receive)
  }

  // MARK: Calling

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
      return tell { receive(.failed(error)) }
    }
  }

  private func begin(
    _ object: BusObject, _ bytes: BusBytes, _ receive: @escaping (BusAnswer) -> Void,
    _ begin: @escaping (MethodCall) -> Void
  ) -> any Disposable {
    let call = MethodCall(host: host(object.bus), bytes: bytes, begin: begin, receive)
    return AnyDisposable { call.forget() }
  }

  /// Its type is asked for, unless it is given: D-Bus has values of several types that look the same in JSON.
  package func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    let object = property.object
    if let fault = fault(of: object, property.interface) { return tell { receive(.failed(fault)) } }
    if isClosed { return tell { receive(.failed(.away(object.bus))) } }
    let assignment = PropertyAssignment(property: property, value: value)
    return begin(object, .text, receive) { call in assignment.begin(call) }
  }

  // MARK: Faults

  private func fault(of object: BusObject, _ interface: String, _ member: String? = nil) -> SignalFailure? {
    if !BusName.isService(object.name) { return SignalFailure(noValue: "“\(object.name)” is no name of a service") }
    if !BusName.isPath(object.path) { return SignalFailure(noValue: "“\(object.path)” is no path of an object") }
    if !BusName.isInterface(interface) { return SignalFailure(noValue: "“\(interface)” is no name of an interface") }
    // Names of properties are not looked at: services have others than they should.
    guard let member, !BusName.isMember(member) else { return nil }
    return SignalFailure(noValue: "“\(member)” is no name of a member")
  }

  /// Tells something between turns, without any bus.
  private func tell(_ notice: @escaping () -> Void) -> any Disposable {
    let disposable = AnyDisposable()
    notices.waiting.append { if !disposable.isDisposed { notice() } }
    work.add(notices)
    return disposable
  }
}

/// Events that no bus sends.
private final class Notices: Pieceworker {
  var waiting = FirstInFirstOut<() -> Void>()
  var isWaiting = false

  func doPiece() -> Bool {
    waiting.popFirst()?()
    return !waiting.isEmpty
  }
}

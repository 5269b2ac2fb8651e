import Linux

/// The services that answer queries, each created for its first query.
final class SystemServices {
  let loop: EventLoop
  let poller: Poller
  let work: CooperativeTasks
  let log: Log
  let signalLog: SignalLog
  private var services: [ObjectIdentifier: any SystemService] = [:]

  init(loop: EventLoop, poller: Poller, work: CooperativeTasks, log: Log, signalLog: SignalLog) {
    (self.loop, self.poller, self.work, self.log, self.signalLog) = (loop, poller, work, log, signalLog)
  }

  /// Returns the one service of a type.
  func callAsFunction<Service: SystemService>(_ type: Service.Type) throws(Errno) -> Service {
    if let service = services[ObjectIdentifier(type)] as? Service { return service }
    let service = try Service(self)
    services[ObjectIdentifier(type)] = service
    return service
  }
}

/// A service that queries share.
protocol SystemService: AnyObject {
  /// - Parameter services: What it is made of; it does not keep them.
  init(_ services: SystemServices) throws(Errno)
}

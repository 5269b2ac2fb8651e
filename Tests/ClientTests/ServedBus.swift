import BusSupport
import Dispatch
import Foundation
import Linux

/// A bus with a service on a thread of its own, for tests that wait for a process.
final class ServedBus {
  static let name = "org.example.Service"

  let bus: PrivateBus

  /// - Parameters:
  ///   - activated: Names of services that the bus can start, with their commands.
  ///   - prepare: Configures the service.
  init(activated: [String: String] = [:], _ prepare: @escaping @Sendable (TestService) -> Void = { _ in }) throws {
    bus = try PrivateBus(activated: activated)
    let address = bus.address
    let isThere = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        let (loop, poller) = (try EventLoop(), try Poller())
        let attachment = try poller.attach(to: loop)
        let service = try TestService(on: address, poller: poller, below: "/")
        prepare(service)
        try service.own(Self.name)
        while !service.isClosed {
          if service.owned.contains(Self.name) { isThere.signal() }
          try loop.runIteration(timeout: .seconds(60))
        }
        withExtendedLifetime(attachment) {}
      } catch {
        fatalError("the service does not run: \(error)")
      }
    }
    isThere.wait()
  }

  deinit { bus.kill() }
}

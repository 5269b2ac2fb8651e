import GraphEngine
import GraphModel
import JSON
import Signals

/// The network around durable graphs: what adapters report is logged before delivery, and tasks are carried out once
/// their cause is on disk.
final class DurableNetwork: NetworkWorld {
  private let world: DurableWorld
  /// The number of the attachment, if it serves a single one; otherwise each operation gets a number of its own.
  private let known: UInt64?

  init(_ world: DurableWorld, number: UInt64? = nil) {
    self.world = world
    known = number
  }

  private func nextNumber() -> UInt64 { known ?? world.number(after: 0) }

  func follow(
    _ source: NetworkSource, from position: String?, _ receive: @escaping (NetworkEvent) -> Void
  ) -> any Disposable {
    world.follow(nextNumber()) {
      if case .network(let event) = $0 { receive(event) }
    } from: { system, enter in
      system.network.follow(source, from: position) { enter(.network($0)) }
    }
  }

  func carryOut(_ task: NetworkTask, _ receive: @escaping (TaskAnswer) -> Void) -> any Disposable {
    let number = nextNumber()
    world.attach(number) { [world] event in
      guard case .task(let answer) = event else { return }
      if answer.isLast { world.detach(number) }
      receive(answer)
    }
    let request = WithheldRequest()
    world.onEffect(task.value.approximateSize + Payload.value(.object(task.request)).approximateSize) { [world] in
      guard let network = world.system?.network, !request.isWithdrawn else { return }
      request.running = network.carryOut(task) { [world] answer in
        if answer.isLast { request.running = nil }
        if !request.isWithdrawn { world.enter(.task(answer), number) }
      }
    }
    return AnyDisposable { [world] in
      world.detach(number)
      request.withdraw()
    }
  }
}

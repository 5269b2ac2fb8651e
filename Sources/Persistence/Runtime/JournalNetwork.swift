import GraphEngine
import GraphModel
import JSON
import ReactiveCore

/// The network around durable graphs: what adapters report enters through the journal, and tasks are carried out once
/// their cause is on disk.
final class JournalNetwork: NetworkWorld {
  private let world: DurableWorld
  /// The number of the attachment that it is for; without one, everything that is begun gets its own.
  private let known: UInt64?

  init(_ world: DurableWorld, number: UInt64? = nil) {
    self.world = world
    known = number
  }

  private func nextNumber() -> UInt64 { known ?? world.number(after: 0) }

  func follow(
    _ source: NetworkSource, from position: String?, _ receive: @escaping (NetworkEvent) -> Void
  ) -> any Disposable {
    let number = nextNumber()
    world.attach(number) { if case .network(let event) = $0 { receive(event) } }
    let following = world.system?.network.follow(source, from: position) { [world] in
      world.enter(.network($0), number)
    }
    return AnyDisposable { [world] in
      world.detach(number)
      following?.dispose()
    }
  }

  func carryOut(_ task: NetworkTask, _ receive: @escaping (TaskAnswer) -> Void) -> any Disposable {
    let number = nextNumber()
    world.attach(number) { [world] event in
      guard case .task(let answer) = event else { return }
      if answer.isLast { world.detach(number) }
      receive(answer)
    }
    let order = TaskOrder()
    world.onEffect(task.value.approximateSize + Payload.value(.object(task.request)).approximateSize) { [world] in
      guard let network = world.system?.network, !order.isWithdrawn else { return }
      order.given = network.carryOut(task) { [world] answer in
        if answer.isLast { order.given = nil }
        if !order.isWithdrawn { world.enter(.task(answer), number) }
      }
    }
    return AnyDisposable { [world] in
      world.detach(number)
      order.withdraw()
    }
  }
}

/// A task that is given to an adapter, or is to be.
private final class TaskOrder {
  /// The task, once it is given, to be disposed of when its call does not wait for it any more.
  var given: (any Disposable)?
  private(set) var isWithdrawn = false

  func withdraw() {
    isWithdrawn = true
    given.take()?.dispose()
  }
}

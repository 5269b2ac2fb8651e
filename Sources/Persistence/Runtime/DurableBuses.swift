import GraphEngine
import GraphModel
import JSON
import Signals

/// The buses around durable graphs: bus events are logged before delivery, and requests are sent once their cause is on
/// disk.
final class DurableBuses: BusWorld {
  private let world: DurableWorld
  /// The number of the attachment, if they serve a single one; otherwise each operation gets a number of its own.
  private let known: UInt64?

  init(_ world: DurableWorld, number: UInt64? = nil) {
    self.world = world
    known = number
  }

  private func nextNumber() -> UInt64 { known ?? world.number(after: 0) }

  // MARK: Receiving

  func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    observe(receive) { $0.watch(properties, $1) }
  }

  func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    observe(receive) { $0.listen(to: signal, $1) }
  }

  private func observe(
    _ receive: @escaping (BusEvent) -> Void,
    _ begin: (any BusWorld, @escaping (BusEvent) -> Void) -> any Disposable
  ) -> any Disposable {
    world.follow(nextNumber()) {
      if case .bus(let event) = $0 { receive(event) }
    } from: { system, enter in
      begin(system.buses) { enter(.bus($0)) }
    }
  }

  // MARK: Calling

  func call(
    _ method: BusMethod, with arguments: [JSONValue], _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    ask(.array(arguments), receive) { $0.call(method, with: arguments, $1) }
  }

  func set(
    _ property: BusProperty, to value: JSONValue, _ receive: @escaping (BusAnswer) -> Void
  ) -> any Disposable {
    ask(value, receive) { $0.set(property, to: value, $1) }
  }

  /// Sends a request once its cause is on disk, even if its result is no longer wanted by then: a committed cause
  /// implies its effect.
  private func ask(
    _ value: JSONValue, _ receive: @escaping (BusAnswer) -> Void,
    _ begin: @escaping (any BusWorld, @escaping (BusAnswer) -> Void) -> any Disposable
  ) -> any Disposable {
    let number = nextNumber()
    world.attach(number) { [world] event in
      guard case .answer(let answer) = event else { return }
      world.detach(number)
      receive(answer)
    }
    let request = WithheldRequest()
    world.onEffect(Payload.value(value).approximateSize) { [world] in
      guard let buses = world.system?.buses else { return }
      request.running = begin(buses) { [world] answer in
        if !request.isWithdrawn { world.enter(.answer(answer), number) }
        request.running = nil
      }
    }
    return AnyDisposable { [world] in
      world.detach(number)
      request.withdraw()
    }
  }
}

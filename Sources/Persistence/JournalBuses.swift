import JSON
import ReactiveCore
import SignalGraph

/// The buses around durable graphs: what they tell enters through the journal, and what is asked of them is asked once
/// its cause is on disk.
final class JournalBuses: BusWorld {
  private let world: JournalWorld
  /// The number of the attachment that they are for; without one, everything that is begun gets its own.
  private let known: UInt64?

  init(_ world: JournalWorld, number: UInt64? = nil) {
    self.world = world
    known = number
  }

  private func nextNumber() -> UInt64 { known ?? world.number(after: 0) }

  // MARK: Hearing

  func watch(_ properties: BusProperties, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    hear(receive) { $0.watch(properties, $1) }
  }

  func listen(to signal: BusSignal, _ receive: @escaping (BusEvent) -> Void) -> any Disposable {
    hear(receive) { $0.listen(to: signal, $1) }
  }

  private func hear(
    _ receive: @escaping (BusEvent) -> Void,
    _ begin: (any BusWorld, @escaping (BusEvent) -> Void) -> any Disposable
  ) -> any Disposable {
    let number = nextNumber()
    world.attach(number) { if case .bus(let event) = $0 { receive(event) } }
    let watch = world.system.map { begin($0.buses) { [world] in world.enter(.bus($0), number) } }
    return AnyDisposable { [world] in
      world.detach(number)
      watch?.dispose()
    }
  }

  // MARK: Asking

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

  /// Asks once the cause is on disk, even if nobody wants the answer by then: the cause is kept, and so is its effect.
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
    let question = Question()
    world.onDeed(Payload.value(value).approximateSize) { [world] in
      guard let buses = world.system?.buses else { return }
      question.asked = begin(buses) { [world] answer in
        if !question.isWithdrawn { world.enter(.answer(answer), number) }
        question.asked = nil
      }
    }
    return AnyDisposable { [world] in
      world.detach(number)
      question.withdraw()
    }
  }
}

/// Something that is asked of a bus, or is to be.
private final class Question {
  /// The request, once it has been made, to be disposed of when nobody wants its answer any more.
  var asked: (any Disposable)?
  private(set) var isWithdrawn = false

  func withdraw() {
    isWithdrawn = true
    asked.take()?.dispose()
  }
}

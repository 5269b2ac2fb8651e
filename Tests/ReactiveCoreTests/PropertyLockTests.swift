import Dispatch
import ReactiveCore
import Testing

/// Runs two threads, each inside one of two properties before either enters the other.
private func cross(
  _ one: MutableProperty<Int>, _ other: MutableProperty<Int>,
  _ use: @escaping @Sendable (MutableProperty<Int>) -> Void
) {
  let areInside = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
  onThreads(2) { thread in
    let (mine, theirs) = thread == 0 ? (one, other) : (other, one)
    mine.withValue { _ in
      areInside[thread].signal()
      areInside[1 - thread].wait()
      use(theirs)
    }
  }
}

/// An object that reads a property on deinitialisation.
private final class Farewell: Sendable {
  let property: MutableProperty<Farewell?>
  let alive: Counter

  init(_ property: MutableProperty<Farewell?>, _ alive: Counter) {
    self.property = property
    self.alive = alive
    alive.enter()
  }

  deinit { if property.value !== self { alive.leave() } }
}

@Suite(.endsIfItHangs) struct PropertyLockTests {
  @Test func `properties that are used inside each other's modify in one order lose nothing`() {
    let (outer, inner) = (MutableProperty(0), MutableProperty(0))
    onThreads(3) { thread in
      for _ in 0..<2000 {
        switch thread {
        case 0: outer.modify { $0 = inner.value + 1 }
        case 1: outer.withValue { _ in inner.modify { $0 += 1 } }
        default: inner.modify { $0 += 1 }
        }
      }
    }
    #expect(inner.value == 4000)
    #expect((1...4001).contains(outer.value))
  }

  @Test func `threads inside modify or withValue that use each other's property trap`() async {
    await #expect(processExitsWith: .failure) {
      cross(MutableProperty(0), MutableProperty(0)) { _ = $0.value }
    }
    await #expect(processExitsWith: .failure) {
      cross(MutableProperty(0), MutableProperty(0)) { $0.value = 1 }
    }
    await #expect(processExitsWith: .failure) {
      cross(MutableProperty(0), MutableProperty(0)) { $0.modify { $0 += 1 } }
    }
    await #expect(processExitsWith: .failure) {
      cross(MutableProperty(0), MutableProperty(0)) { $0.withValue { _ in } }
    }
  }

  @Test func `a thread inside a property may send to what another inside a property sends to`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let seen = Counter()
    signal.observeValues { _ in seen.enter() }
    cross(MutableProperty(0), MutableProperty(0)) { _ in input.send(value: 1) }
    #expect(seen.present == 2)
  }

  @Test func `a value may use its property when it is released`() {
    let alive = Counter()
    let property = MutableProperty<Farewell?>(nil)
    property.value = Farewell(property, alive)
    property.value = Farewell(property, alive)
    // From inside a delivery, so that the change is queued.
    let observation = property.signal.observeValues { if $0 != nil { property.value = nil } }
    property.value = Farewell(property, alive)
    #expect(alive.present == 0)
    observation?.dispose()
  }
}

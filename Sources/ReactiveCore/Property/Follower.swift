import Signals
import Synchronization

/// The observer of a derived property's producer: it sets the property's core to each value, and creates the core from
/// the first value if there is none yet.
///
/// The first value arrives during the producer's start, unless the source is being delivered: by this thread, so that
/// it cannot wait, or by a busy other thread. Then the core is created from the source's visible value, and the queued
/// values follow.
final class Follower<Value>: Sendable {
  private let made = Atomic<Unmanaged<PropertyCore<Value>>?>(nil)

  init(_ core: PropertyCore<Value>?) {
    if let core { made.store(.passRetained(core), ordering: .releasing) }
  }

  deinit { made.load(ordering: .acquiring)?.release() }

  /// The property's core, once it has a value.
  var core: PropertyCore<Value>? { made.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Returns the property's core, created from `first` if the producer has not emitted yet.
  func core(orOf first: Value) -> PropertyCore<Value> {
    let new = PropertyCore(first)
    return make(new) ? new : core ?? new
  }

  /// The observer of the producer.
  var observer: Observer<Value, Never> {
    Observer(link: self, value: { $0.receive($1) }, ending: { follower, _ in follower.core?.node.send(.completed) })
  }

  private func receive(_ value: Value) {
    if let core { return core.set(value) }
    if !make(PropertyCore(value)) { core?.set(value) }
  }

  /// Sets the core; false if another thread was first.
  private func make(_ core: PropertyCore<Value>) -> Bool {
    let reference = Unmanaged.passRetained(core)
    let result = made.compareExchange(expected: nil, desired: reference, ordering: .acquiringAndReleasing)
    if !result.exchanged { reference.release() }
    return result.exchanged
  }
}

import Synchronization

/// The observer of a derived property's producer: it sets the property's core to each value, and makes the core of the
/// first value if there is none yet.
///
/// The first value comes as soon as the producer is started, unless the source is just being delivered: by this thread,
/// so that it cannot wait, or by another that keeps it busy. Then the core is made of the value that the source shows,
/// and what is queued there follows.
final class Follower<Value>: Sendable {
  /// Retained; set once.
  private let made = Atomic<Unmanaged<PropertyCore<Value>>?>(nil)

  init(_ core: PropertyCore<Value>?) {
    if let core { made.store(.passRetained(core), ordering: .releasing) }
  }

  deinit { made.load(ordering: .acquiring)?.release() }

  /// The property's core, once it has a value.
  var core: PropertyCore<Value>? { made.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// The property's core, made of `first` if the producer has sent nothing yet.
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

  /// False if another thread was first.
  private func make(_ core: PropertyCore<Value>) -> Bool {
    let reference = Unmanaged.passRetained(core)
    let result = made.compareExchange(expected: nil, desired: reference, ordering: .acquiringAndReleasing)
    if !result.exchanged { reference.release() }
    return result.exchanged
  }
}

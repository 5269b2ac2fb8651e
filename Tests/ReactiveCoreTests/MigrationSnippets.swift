import ReactiveCore
import Testing

/// The code of the migration guides, each block the body of a function; a test compares them.
@Suite struct MigrationSnippets {
  @Test func `instants and durations`() {
    let clock = TestScheduler()
    let later: Instant = clock.currentDate + .seconds(2)
    clock.schedule(after: later) { print("two seconds have passed") }
    clock.schedule(after: .milliseconds(10)) { print("ten milliseconds have passed") }
    clock.advance(by: .seconds(2))
  }

  @Test func `two names for times`() {
    typealias Date = Instant
    typealias DispatchTimeInterval = Duration
    let halfASecond: DispatchTimeInterval = .milliseconds(500)
    let epoch: Date = .zero
    print(epoch + halfASecond)
  }

  @Test func `the failure of a signal`() {
    let (numbers, input) = Signal<Int, Never>.pipe()
    let halves: Signal<Int, Never> = numbers.filter { $0.isMultiple(of: 2) }.map { $0 / 2 }
    halves.observeValues { print($0) }
    input.send(value: 4)
  }

  @Test func `existentials`() {
    let (signal, input) = Signal<String, Never>.pipe()
    var observation: (any Disposable)?
    let scheduler: any DateScheduler = TestScheduler()
    observation = signal.delay(1, on: scheduler).observeValues { print($0) }
    input.send(value: "later")
    observation?.dispose()
  }

  @Test func `an event sent from inside a delivery`() {
    let (counter, input) = Signal<Int, Never>.pipe()
    counter.observeValues { if $0 < 3 { input.send(value: $0 + 1) } }
    counter.observeValues { print($0) }
    input.send(value: 0)
  }

  @Test func `closures of the main actor`() {
    @MainActor final class Counter {
      var count = 0

      func follow(_ numbers: Signal<Int, Never>) {
        numbers.observe(on: UIScheduler()).observeValues { self.count += $0 }
        numbers.observeValues(on: MainActor.self) { self.count += $0 }
      }
    }
  }

  @Test func `a bound on what is held`() {
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<String, Never>.pipe()
    left.zip(with: right, limit: Bound(limit: 100, overflow: .dropOldest)).observeValues { print($0) }
    leftInput.send(value: 1)
    rightInput.send(value: "one")
  }

  @Test func `a signal from callbacks`() {
    /// A stand-in for a notification centre: it takes a closure and returns one that ends the observation.
    func notifications(_ listen: (@escaping (String) -> Void) -> () -> Void) -> Signal<String, Never> {
      Signal { observer, lifetime in
        let end = listen { observer.send(value: $0) }
        lifetime.observeEnded(end)
      }
    }
    notifications { _ in {} }.observeValues { print($0) }
  }

  @Test func `hot and cold`() {
    let (taps, finger) = Signal<Int, Never>.pipe()
    let countdown = SignalProducer<Int, Never>([3, 2, 1])
    taps.observeValues { print("tapped", $0) }
    countdown.startWithValues { print($0) }
    countdown.startWithValues { print("once more", $0) }
    finger.send(value: 1)
  }

  @Test func `debounce and throttle`() {
    let clock = TestScheduler()
    let (keys, typed) = Signal<String, Never>.pipe()
    keys.debounce(0.5, on: clock).observeValues { print("search for", $0) }
    keys.throttle(0.5, on: clock).observeValues { print("show", $0) }
    typed.send(value: "sig")
    typed.send(value: "signal")
    clock.advance(by: .seconds(1))
  }

  @Test func `typed errors`() {
    struct Unreachable: Error {}
    let cached = SignalProducer<Int, Never>(value: 1)
    let fetched = SignalProducer<Int, Unreachable>(error: Unreachable())
    cached.promoteError(Unreachable.self).concat(fetched).startWithResult { print($0) }
  }

  @Test func `disposing interrupts`() {
    let endless = SignalProducer<Int, Never>.never
    let run = endless.startWithInterrupted { print("no longer wanted") }
    run.dispose()
  }

  @Test func `a bag of disposables`() {
    let bag = ScopedDisposable(CompositeDisposable())
    let (values, input) = Signal<Int, Never>.pipe()
    bag.inner += values.observeValues { print($0) }
    input.send(value: 1)
  }

  @Test func `a chain`() {
    let volume = MutableProperty(3)
    let label = MutableProperty("")
    label <~ volume.producer.filter { $0 >= 0 }.map { "volume: \($0)" }
    volume.value = 11
    print(label.value)
  }
}

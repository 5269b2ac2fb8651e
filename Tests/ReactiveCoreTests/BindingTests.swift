import ReactiveCore
import Testing

private final class Screen { var title = "" }

@Suite struct BindingTests {
  @Test func `a target is set on its scheduler, until its lifetime ends`() {
    let scheduler = TestScheduler()
    var (lifetime, token): (Lifetime, Lifetime.Token?) = Lifetime.make()
    var seen: [Int] = []
    let target = BindingTarget<Int>(on: scheduler, lifetime: lifetime) { seen.append($0) }
    let source = MutableProperty(1)
    target <~ source
    #expect(seen == [])
    scheduler.advance()
    source.value = 2
    scheduler.advance()
    #expect(seen == [1, 2])
    #expect(token != nil)
    token = nil
    source.value = 3
    scheduler.advance()
    #expect(seen == [1, 2])
    lifetime = .empty
  }

  @Test func `a target can be a key path of an object that it does not keep`() {
    let (lifetime, token) = Lifetime.make()
    weak var weakly: Screen?
    do {
      let screen = Screen()
      weakly = screen
      let target = BindingTarget(lifetime: lifetime, object: screen, keyPath: \.title)
      target <~ SignalProducer(value: "hello")
      #expect(screen.title == "hello")
    }
    #expect(weakly == nil)
    withExtendedLifetime(token) {}
  }

  @Test func `a target may be missing`() {
    var target: MutableProperty<Int>? = MutableProperty(0)
    target <~ SignalProducer(value: 1)
    #expect(target?.value == 1)
    target = nil
    let binding = target <~ SignalProducer<Int, Never>.never
    #expect(binding?.isDisposed == true)
  }

  @Test func `a pipe's input can be bound to`() {
    let (signal, input) = Signal<Int, Failure>.pipe()
    var seen: [Event<Int, Failure>] = []
    signal.observe { seen.append($0) }
    input <~ SignalProducer([1, 2])
    input.send(value: 3)
    #expect(seen == [.value(1), .value(2), .value(3)])
  }
}

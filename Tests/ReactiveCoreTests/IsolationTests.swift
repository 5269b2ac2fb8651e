import Dispatch
import ReactiveCore
import Testing

/// Closures that belong to the main actor, and values that are not `Sendable`.
@Suite(.endsIfItHangs) struct IsolationTests {
  /// A value that threads must not share.
  private final class Shared {}

  /// A class written without regard to threads.
  @MainActor private final class Model {
    var count = 0
    var disposal: (any Disposable)?

    func observe(_ signal: Signal<Int, Never>) { signal.observeValues { self.count += $0 } }
    func watch(_ signal: Signal<Int, Never>) { signal.on(value: { self.count += $0 }).observe(Signal.Observer()) }
    func start(_ producer: SignalProducer<Int, Never>) { producer.startWithValues { self.count += $0 } }
    func await(_ signal: Signal<Int, Never>) { signal.observeCompleted { self.count += 1 } }

    func observeFree(_ signal: Signal<Int, Never>) { signal.observeValues({ _ = $0 }, isolation: nil) }
  }

  private static func elsewhere(_ work: @escaping @Sendable () -> Void) { onThreads(1) { _ in work() } }

  @Test func `a closure of the main actor that is called elsewhere traps`() async {
    let trap = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (signal, input) = Signal<Int, Never>.pipe()
      await Model().observe(signal)
      Self.elsewhere { input.send(value: 1) }
    }
    let message = String(decoding: trap?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("on another thread to a closure of the main actor"))
    await #expect(processExitsWith: .failure) {
      let (signal, input) = Signal<Int, Never>.pipe()
      await Model().watch(signal)
      Self.elsewhere { input.send(value: 1) }
    }
    await #expect(processExitsWith: .failure) {
      let (signal, input) = Signal<Int, Never>.pipe()
      await Model().start(signal.producer)
      Self.elsewhere { input.send(value: 1) }
    }
    await #expect(processExitsWith: .failure) {
      let (signal, input) = Signal<Int, Never>.pipe()
      await Model().await(signal)
      Self.elsewhere { input.sendCompleted() }
    }
  }

  @Test func `a closure of the main actor is called there, and one without an actor anywhere`() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let model = Model()
    await model.observe(signal)
    await model.watch(signal)
    await model.start(signal.producer)
    await model.await(signal)
    await MainActor.run {
      input.send(value: 2)
      input.sendCompleted()
    }
    #expect(await model.count == 7)
    let (free, freeInput) = Signal<Int, Never>.pipe()
    await model.observeFree(free)
    Self.elsewhere { freeInput.send(value: 1) }
  }

  @Test func `the forms for the main actor bring events there`() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let (values, value) = AsyncStream<Int>.makeStream()
    let model = Model()
    await MainActor.run {
      signal.observeValues(on: MainActor.self) { model.count += $0 }
      signal.observe(on: MainActor.self) { if case .completed = $0 { value.yield(model.count) } }
      signal.producer.startWithValues(on: MainActor.self) { model.count += $0 * 10 }
      signal.producer.start(on: MainActor.self) { if case .completed = $0 { value.finish() } }
      input.send(value: 1)
      // At once, since nothing is queued.
      #expect(model.count == 11)
    }
    Self.elsewhere {
      input.send(value: 2)
      input.sendCompleted()
    }
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    #expect(seen == [33])
  }

  @Test func `nothing follows on the main actor once it was disposed of there`() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let model = Model()
    await MainActor.run {
      model.disposal = signal.observeValues(on: MainActor.self) { model.count += $0 }
      Self.elsewhere { input.send(value: 1) }
      model.disposal?.dispose()
    }
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(await model.count == 0)
  }

  @Test func `what sends, holds or provides values may cross threads only if they may`() {
    #expect(isSendable(Signal<Int, Never>.Observer.self) && !isSendable(Signal<Shared, Never>.Observer.self))
    #expect(isSendable(MutableProperty<Int>.self) && !isSendable(MutableProperty<Shared>.self))
    #expect(isSendable(Action<Int, Int, Never>.self) && !isSendable(Action<Int, Shared, Never>.self))
    #expect(isSendable(AsyncValues<Int, Never>.self) && !isSendable(AsyncValues<Shared, Never>.self))
    #expect(isSendable(ValueSequence<Int, Never>.self) && !isSendable(ValueSequence<Shared, Never>.self))
  }

  private func isSendable<Value>(_ type: Value.Type) -> Bool { false }
  private func isSendable<Value: Sendable>(_ type: Value.Type) -> Bool { true }
}

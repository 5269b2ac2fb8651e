import ReactiveCore
import Testing

/// Signals that are confined to the thread that makes them.
@Suite struct ConfinementTests {
  private static func elsewhere(_ work: @escaping @Sendable () -> Void) { onThreads(1) { _ in work() } }

  @Test func `what is confined to a thread traps on another`() async {
    var refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (_, input) = Confinement.during { Signal<Int, Never>.pipe() }
      Self.elsewhere { input.send(value: 1) }
    }
    expectRefusal(refused)
    refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (signal, input) = Confinement.during { Signal<Int, Never>.pipe() }
      Self.elsewhere { signal.observeValues { _ in } }
      input.sendCompleted()
    }
    expectRefusal(refused)
    refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (signal, _) = Confinement.during { Signal<Int, Never>.pipe() }
      Self.elsewhere { [derived = signal.map { $0 + 1 }] in derived.observeValues { _ in } }
    }
    expectRefusal(refused)
    refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let property = Confinement.during { MutableProperty(0) }
      Self.elsewhere { property.value = 1 }
    }
    expectRefusal(refused)
    refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let disposal = Held(Confinement.during { SignalProducer<Int, Never>.never.start() })
      Self.elsewhere { disposal.disposable.dispose() }
    }
    expectRefusal(refused)
    refused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (input, merged) = Confinement.during {
        let (signal, input) = Signal<Int, Never>.pipe()
        return (input, Signal.merge(signal, .never))
      }
      merged.observeValues { _ in }
      Self.elsewhere { input.send(value: 1) }
    }
    expectRefusal(refused)
  }

  private func expectRefusal(_ result: ExitTest.Result?) {
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("confined to a thread was used on another"))
  }

  /// Hands a disposable to another thread.
  private struct Held: @unchecked Sendable {
    let disposable: any Disposable
    init(_ disposable: any Disposable) { self.disposable = disposable }
  }

  @Test func `what a confined thread makes outside of that may be used anywhere`() {
    struct Trouble: Error {}
    _ = try? Confinement.during { () throws(Trouble) in
      Confinement.during {}
      throw Trouble()
    }
    let (signal, input) = Signal<Int, Never>.pipe()
    let seen = Counter()
    signal.observeValues { _ in seen.enter() }
    Self.elsewhere { input.send(value: 1) }
    #expect(seen.present == 1)
  }

  @Test func `a value sent by an observer of a confined signal comes after the current one`() {
    Confinement.during {
      let (left, leftInput) = Signal<Int, Never>.pipe()
      let (right, rightInput) = Signal<Int, Never>.pipe()
      var log: [String] = []
      left.merge(with: right).observeValues { value in
        log.append("begin \(value)")
        if value < 3 { (value == 1 ? rightInput : leftInput).send(value: value + 1) }
        log.append("end \(value)")
      }
      leftInput.send(value: 1)
      #expect(log == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
      leftInput.sendCompleted()
      rightInput.sendCompleted()
    }
  }

  @Test func `an observer of a confined signal may dispose of itself and let it end`() {
    Confinement.during {
      let (signal, input) = Signal<Int, Never>.pipe()
      var seen: [Int] = []
      let own = SerialDisposable()
      own.inner = signal.observeValues { value in
        seen.append(value)
        own.dispose()
        input.send(value: value + 1)
        input.sendCompleted()
      }
      var endings = 0
      signal.observeCompleted { endings += 1 }
      input.send(value: 1)
      #expect(seen == [1])
      #expect(endings == 1)
    }
  }
}

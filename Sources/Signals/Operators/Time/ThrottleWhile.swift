/// Holds the latest value while a gate is closed; delivers all events on a scheduler.
struct ThrottleWhile<Input, Failure: Error>: ScopedOperator {
  let gate: SignalProducer<Bool, Never>
  let scheduler: any Scheduler

  private struct Memory {
    var isThrottled = false
    var held: Input?
  }

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    let link = Link(Memory(), downstream)
    let toggle = Observer<Bool, Never>(
      value: { isThrottled in
        link.memory.isThrottled = isThrottled
        guard !isThrottled, let value = link.memory.held else { return }
        link.memory.held = nil
        schedule(in: scope) { link.downstream.receive(value) }
      }, ending: { _ in })
    gate.skipRepeats().feed(toggle, in: scope)
    return Observer(
      link: link,
      value: { link, value in
        if link.memory.isThrottled {
          link.memory.held = value
        } else {
          schedule(in: scope) { link.downstream.receive(value) }
        }
      },
      ending: { link, ending in
        link.memory.held = nil
        guard case .completed = ending else { return link.downstream.end(ending) }
        schedule(in: scope) { link.downstream.end(.completed) }
      })
  }

  private func schedule(in scope: Scope, _ action: @escaping () -> Void) {
    scheduler.schedule { scope.perform(action) }
  }
}

extension Signal {
  /// The values while the latest of `shouldThrottle` is false; at each change to false, the last value held meanwhile.
  ///
  /// A value held when the signal ends is dropped. The gate keeps its last position when `shouldThrottle` ends.
  ///
  /// - Parameters:
  ///   - shouldThrottle: The gate: values are held while its latest value is true.
  ///   - scheduler: The scheduler that delivers values and completion.
  public func throttle<Gate: SignalProducerConvertible>(
    while shouldThrottle: Gate, on scheduler: any Scheduler
  ) -> Signal<Value, Failure> where Gate.Value == Bool, Gate.Error == Never {
    apply(ThrottleWhile(gate: shouldThrottle.producer, scheduler: scheduler))
  }
}

extension SignalProducer {
  /// The values while the latest of `shouldThrottle` is false; at each change to false, the last value held meanwhile.
  ///
  /// A value held when the producer ends is dropped. The gate keeps its last position when `shouldThrottle` ends.
  ///
  /// - Parameters:
  ///   - shouldThrottle: The gate: values are held while its latest value is true.
  ///   - scheduler: The scheduler that delivers values and completion.
  public func throttle<Gate: SignalProducerConvertible>(
    while shouldThrottle: Gate, on scheduler: any Scheduler
  ) -> SignalProducer<Value, Failure> where Gate.Value == Bool, Gate.Error == Never {
    apply(ThrottleWhile(gate: shouldThrottle.producer, scheduler: scheduler))
  }
}

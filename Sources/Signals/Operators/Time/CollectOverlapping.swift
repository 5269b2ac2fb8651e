/// Lists of a number of values, which begin a number of values apart.
struct CollectOverlapping<Input, Failure: Error>: Operator {
  typealias Output = [Input]
  let count: Int
  let step: Int

  private struct Memory {
    /// The values since the start of the oldest incomplete list.
    var values: [Input] = []
    /// The number of values to drop until the next list begins.
    var skipped = 0
  }

  init(count: Int, step: Int) {
    precondition(count > 0 && step > 0, "a list holds one value at least, and begins one after the last at least")
    self.count = count
    self.step = step
  }

  func observer<Downstream: Receiver<[Input], Failure>>(for downstream: Downstream) -> Observer<Input, Failure> {
    Observer(
      link: Link(Memory(), downstream), value: { receive($1, $0) },
      ending: { link, ending in
        if case .completed = ending { sendRest(link) }
        link.downstream.end(ending)
      })
  }

  private func receive<Downstream: Receiver<[Input], Failure>>(_ value: Input, _ link: Link<Memory, Downstream>) {
    guard link.memory.skipped == 0 else {
      link.memory.skipped -= 1
      return
    }
    link.memory.values.append(value)
    guard link.memory.values.count == count else { return }
    let full = link.memory.values
    link.memory.values.removeFirst(min(step, count))
    link.memory.skipped = max(0, step - count)
    link.downstream.receive(full)
  }

  private func sendRest<Downstream: Receiver<[Input], Failure>>(_ link: Link<Memory, Downstream>) {
    while !link.memory.values.isEmpty {
      let partial = link.memory.values
      link.memory.values.removeFirst(min(step, partial.count))
      link.downstream.receive(partial)
    }
  }
}

extension Signal {
  /// Lists of `count` values that begin `step` values apart; incomplete lists when this signal completes.
  ///
  /// Lists overlap if `step` is less than `count`; values are left out if it is more. Rx's `bufferCount`.
  ///
  /// - Parameters:
  ///   - count: The length of a list.
  ///   - step: The number of values from the beginning of a list to that of the next.
  /// - Precondition: `count` and `step` are at least 1.
  public func collect(count: Int, every step: Int) -> Signal<[Value], Failure> {
    apply(CollectOverlapping(count: count, step: step))
  }
}

extension SignalProducer {
  /// Lists of `count` values that begin `step` values apart; incomplete lists when this producer completes.
  ///
  /// Lists overlap if `step` is less than `count`; values are left out if it is more. Rx's `bufferCount`.
  ///
  /// - Parameters:
  ///   - count: The length of a list.
  ///   - step: The number of values from the beginning of a list to that of the next.
  /// - Precondition: `count` and `step` are at least 1.
  public func collect(count: Int, every step: Int) -> SignalProducer<[Value], Failure> {
    apply(CollectOverlapping(count: count, step: step))
  }
}

/// Emits the values of a span that begins with a value, or sooner at a given count.
struct Buffer<Input, Failure: Error>: ScopedOperator {
  typealias Output = [Input]
  let span: Duration
  let count: Int
  let scheduler: any DateScheduler
  let bound: Bound<Failure>?

  func observer<Downstream: Receiver<[Input], Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    precondition(count > 0, "a list holds one value at least")
    return Observer(
      link: TimedLink(Fifo<Input>(), downstream, scope, scheduler, whenDue: send),
      value: { receive($1, $0) },
      ending: { $0.end($1, complete: send) })
  }

  private func receive<Downstream: Receiver<[Input], Failure>>(
    _ value: Input, _ link: TimedLink<Fifo<Input>, Downstream>
  ) {
    if link.memory.isEmpty, count > 1 { link.wait(until: scheduler.currentDate + span) }
    if let error = link.memory.append(value, within: bound) { return link.downstream.end(.failed(error)) }
    guard link.memory.count == count else { return }
    link.stopWaiting()
    send(link)
  }

  private func send<Downstream: Receiver<[Input], Failure>>(_ link: TimedLink<Fifo<Input>, Downstream>) {
    guard !link.memory.isEmpty else { return }
    let values = link.memory.all
    link.memory.removeAll()
    link.downstream.receive(values)
  }
}

extension Signal {
  /// Lists of the values of a `span` that begins with its first, at its end, or of `count` values at once.
  ///
  /// Values held when the signal completes are emitted before the completion; other endings drop them. Rx's
  /// `bufferTime`.
  ///
  /// - Parameters:
  ///   - span: The time from the first value of a list to the moment when it is emitted.
  ///   - count: The number of values at which a list is emitted at once.
  ///   - scheduler: The scheduler that measures the time and emits lists and completion.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  /// - Precondition: `count` is at least 1.
  public func buffer(
    _ span: Duration, count: Int = .max, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> Signal<[Value], Failure> {
    apply(Buffer(span: span, count: count, scheduler: scheduler, bound: limit))
  }
}

extension SignalProducer {
  /// Lists of the values of a `span` that begins with its first, at its end, or of `count` values at once.
  ///
  /// Values held when the producer completes are emitted before the completion; other endings drop them. Rx's
  /// `bufferTime`.
  ///
  /// - Parameters:
  ///   - span: The time from the first value of a list to the moment when it is emitted.
  ///   - count: The number of values at which a list is emitted at once.
  ///   - scheduler: The scheduler that measures the time and emits lists and completion.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  /// - Precondition: `count` is at least 1.
  public func buffer(
    _ span: Duration, count: Int = .max, on scheduler: any DateScheduler, limit: Bound<Failure>? = nil
  ) -> SignalProducer<[Value], Failure> {
    apply(Buffer(span: span, count: count, scheduler: scheduler, bound: limit))
  }
}

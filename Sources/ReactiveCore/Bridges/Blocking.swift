// Each of these starts a run and blocks the calling thread until it ends. They are for tests, scripts and the edges of
// a program. Inside a delivery (an observer, an operator's closure, a property's `modify`) they trap; on a queue that
// the run itself needs they never return.

public import Signals

extension SignalProducer {
  /// Waits for the first value, or the failure; nil if there is none.
  ///
  /// The run is interrupted after that.
  ///
  /// - Precondition: It is not called from inside a delivery.
  public func first() -> Result<Value, Failure>? {
    refuseInsideDelivery("first()")
    return take(first: 1).runToOneResult()
  }

  /// Waits for the first value, or the failure; `defaultValue` if there is none.
  ///
  /// - Precondition: It is not called from inside a delivery.
  public func first(default defaultValue: Value) -> Result<Value, Failure> { first() ?? .success(defaultValue) }

  /// Waits for the ending, or for a second value: the result is the only value, or the failure; nil if there was no
  /// value or more than one.
  ///
  /// - Precondition: It is not called from inside a delivery.
  public func single() -> Result<Value, Failure>? {
    refuseInsideDelivery("single()")
    var values: [Value] = []
    let ending = take(first: 2).runToEnd { values.append($0) }
    if case .failed(let error) = ending { return .failure(error) }
    return values.count == 1 ? .success(values[0]) : nil
  }

  /// Waits for the ending: the result is the last value, or the failure; nil if there was no value.
  ///
  /// - Precondition: It is not called from inside a delivery.
  public func last() -> Result<Value, Failure>? {
    refuseInsideDelivery("last()")
    return runToOneResult()
  }

  /// Waits for the ending; the result is success unless it was a failure.
  ///
  /// - Precondition: It is not called from inside a delivery.
  public func wait() -> Result<(), Failure> {
    refuseInsideDelivery("wait()")
    if case .failed(let error) = runToEnd({ _ in }) { return .failure(error) }
    return .success(())
  }

  /// Waits for the ending: the result is all values, or the failure.
  ///
  /// - Precondition: It is not called from inside a delivery.
  public func toArray() -> Result<[Value], Failure> {
    refuseInsideDelivery("toArray()")
    var values: [Value] = []
    if case .failed(let error) = runToEnd({ values.append($0) }) { return .failure(error) }
    return .success(values)
  }

  /// The last value of a run, or its failure.
  private func runToOneResult() -> Result<Value, Failure>? {
    var result: Result<Value, Failure>?
    if case .failed(let error) = runToEnd({ result = .success($0) }) { return .failure(error) }
    return result
  }

  /// Starts a run and waits for its ending.
  private func runToEnd(_ receive: @escaping (Value) -> Void) -> Ending<Failure> {
    let latch = Latch()
    var last = Ending<Failure>.interrupted
    start(
      Observer(
        value: receive,
        ending: { ending in
          last = ending
          latch.open()
        }))
    latch.wait()
    return last
  }
}

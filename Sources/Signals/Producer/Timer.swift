extension SignalProducer where Value == Instant, Failure == Never {
  /// The scheduler's time every `interval`, first after one interval, forever; at most a tenth of the interval late.
  ///
  /// - Parameters:
  ///   - interval: The time between two values.
  ///   - scheduler: The scheduler that measures the time and emits the values.
  /// - Precondition: `interval` is positive.
  public static func timer(interval: Duration, on scheduler: any DateScheduler) -> SignalProducer {
    timer(interval: interval, on: scheduler, leeway: interval / 10)
  }

  /// The scheduler's time every `interval`, first after one interval, forever; at most `leeway` late.
  ///
  /// - Parameters:
  ///   - interval: The time between two values.
  ///   - scheduler: The scheduler that measures the time and emits the values.
  ///   - leeway: The delay a value may have, so that wakeups can be coalesced.
  /// - Precondition: `interval` is positive, and `leeway` is not negative.
  public static func timer(
    interval: Duration, on scheduler: any DateScheduler, leeway: Duration
  ) -> SignalProducer {
    precondition(interval > .zero && leeway >= .zero, "an interval must be longer than nothing")
    return SignalProducer { observer, lifetime in
      lifetime += scheduler.schedule(
        after: scheduler.currentDate + interval, interval: interval, leeway: leeway
      ) { observer.send(value: scheduler.currentDate) }
    }
  }
}

extension SignalProducer where Failure == Never {
  /// The elements of a sequence, one every `interval`, first after one interval; then it completes.
  ///
  /// - Parameters:
  ///   - values: The elements, which each run iterates over.
  ///   - interval: The time between two elements, and before the completion.
  ///   - scheduler: The scheduler that measures the time and emits the elements.
  /// - Precondition: `interval` is positive.
  public static func interval<Values: Sequence>(
    _ values: Values, interval: Duration, on scheduler: any DateScheduler
  ) -> SignalProducer where Values.Element == Value {
    SignalProducer { observer, lifetime in
      var iterator = values.makeIterator()
      lifetime += scheduler.schedule(after: scheduler.currentDate + interval, interval: interval) {
        if let value = iterator.next() { observer.send(value: value) } else { observer.sendCompleted() }
      }
    }
  }
}

extension SignalProducer where Value == Int, Failure == Never {
  /// 0, 1, 2 and so on, one every `interval`, first after one interval, forever.
  ///
  /// - Parameters:
  ///   - interval: The time between two values.
  ///   - scheduler: The scheduler that measures the time and emits the values.
  /// - Precondition: `interval` is positive.
  public static func interval(_ interval: Duration, on scheduler: any DateScheduler) -> SignalProducer {
    .interval(0..., interval: interval, on: scheduler)
  }
}

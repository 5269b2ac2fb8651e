import ReactiveCore

extension LeakTests {
  static let successionCases: [LeakCase] = concatCases + errorCases + restartCases

  private static let concatCases: [LeakCase] = [
    LeakCase(
      name: "concat", signal: { stream, scheduler, held in stream.concat(lasting(held, held, scheduler)) },
      producer: { stream, scheduler, held in stream.concat(lasting(held, held, scheduler)) }),
    LeakCase(
      name: "concat of many", signal: { stream, _, held in .concat(stream, stream.map(value: held)) },
      producer: { stream, scheduler, held in
        .concat(SignalProducer(value: held), stream, lasting(held, held, scheduler))
      }),
    LeakCase(
      name: "concat(error:), concat of bounded many",
      signal: { stream, _, held in
        .concat([stream.skip(first: 9), stream], limit: Bound(limit: 1, overflow: .dropOldest))
      },
      producer: { stream, _, held in stream.concat(error: Failure(code: 2)) }),
    LeakCase(
      name: "prefix, prefix(values:)", signal: { stream, _, _ in stream },
      producer: { stream, _, held in stream.prefix(SignalProducer(value: held)).prefix(values: [held]) }),
    LeakCase(
      name: "then", signal: { stream, _, _ in stream },
      producer: { stream, scheduler, held in stream.then(lasting(held, held, scheduler)) }),
    LeakCase(
      name: "switchIfEmpty",
      signal: { stream, scheduler, held in stream.skip(first: 9).switchIfEmpty(lasting(held, held, scheduler)) },
      producer: { stream, scheduler, held in stream.skip(first: 9).switchIfEmpty(lasting(held, held, scheduler)) }),
    LeakCase(
      name: "delayStart", signal: { stream, _, _ in stream },
      producer: { stream, scheduler, held in
        stream.concat(lasting(held, held, scheduler).delayStart(3, on: scheduler))
      }),
    LeakCase(
      name: "deferred", signal: { stream, _, _ in stream },
      producer: { stream, _, held in .deferred { withExtendedLifetime(held) { stream } } }),
  ]

  private static let errorCases: [LeakCase] = [
    LeakCase(
      name: "flatMapError",
      signal: { stream, scheduler, held in stream.flatMapError { _ in lasting(held, held, scheduler) } },
      producer: { stream, scheduler, held in stream.flatMapError { _ in lasting(held, held, scheduler) } }),
    LeakCase(
      name: "catchTo", signal: { stream, scheduler, held in stream.catchTo(lasting(held, held, scheduler)) },
      producer: { stream, scheduler, held in stream.catchTo(lasting(held, held, scheduler)) }),
    LeakCase(
      name: "catchAndReturn", signal: { stream, _, held in stream.catchAndReturn(held).promoteError() },
      producer: { stream, _, held in stream.catchAndReturn(held).promoteError() }),
    LeakCase(
      name: "onErrorResumeNext",
      signal: { stream, scheduler, held in stream.onErrorResumeNext(lasting(held, held, scheduler)) },
      producer: { stream, scheduler, held in stream.onErrorResumeNext(lasting(held, held, scheduler)) }),
  ]

  /// Operators that restart the source end by a time limit.
  private static func restarting(
    _ name: String,
    _ producer:
      @escaping @Sendable (SignalProducer<Held, Failure>, TestScheduler, Held) -> SignalProducer<Held, Failure>
  ) -> LeakCase {
    LeakCase(
      name: name, signal: { stream, _, _ in stream },
      producer: { stream, scheduler, held in
        producer(stream, scheduler, held).timeout(after: 5, raising: Failure(code: 2), on: scheduler)
      })
  }

  private static let restartCases: [LeakCase] = [
    restarting("retry(upTo:)") { stream, _, _ in stream.retry(upTo: 1) },
    restarting("retry for ever, with pauses") { stream, scheduler, _ in
      stream.retry(interval: .seconds(1), on: scheduler)
    },
    restarting("retry(when:)") { stream, scheduler, held in
      stream.retry { $0.map(value: held).promoteError().delay(1, on: scheduler) }
    },
    restarting("repeat, times") { stream, _, _ in stream.repeat(2).times(2) },
    restarting("repeat with pauses") { stream, scheduler, _ in stream.repeat(interval: .seconds(1), on: scheduler) },
    restarting("repeat(when:)") { stream, scheduler, held in
      stream.repeat { $0.map(value: held).promoteError().delay(1, on: scheduler) }
    },
  ]
}

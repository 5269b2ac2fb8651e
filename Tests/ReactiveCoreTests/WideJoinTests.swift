import ReactiveCore
import TestSupport
import Testing

/// Joins of sources of different types compared with those of a list, on generated events.
@Suite struct WideJoinTests {
  typealias Stream = Signal<Int, Failure>
  typealias Work = SignalProducer<Int, Failure>

  /// A join of a list, and the equivalent join with separate arguments.
  struct Width: Sendable, CustomTestStringConvertible {
    let count: Int
    let latest: @Sendable ([Stream]) -> Signal<[Int], Failure>
    let latestOfProducers: @Sendable ([Work]) -> SignalProducer<[Int], Failure>
    let zipped: @Sendable ([Stream]) -> Signal<[Int], Failure>
    let zippedOfProducers: @Sendable ([Work]) -> SignalProducer<[Int], Failure>
    var testDescription: String { "\(count)" }
  }

  /// Three to eight are trees of pairs, nine is a pack.
  static let widths: [Width] = [
    Width(
      count: 3,
      latest: { Signal.combineLatest($0[0], $0[1], $0[2]).map { a, b, c in [a, b, c] } },
      latestOfProducers: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2]).map { a, b, c in [a, b, c] }
      },
      zipped: { Signal.zip($0[0], $0[1], $0[2]).map { a, b, c in [a, b, c] } },
      zippedOfProducers: { SignalProducer.zip($0[0], $0[1], $0[2]).map { a, b, c in [a, b, c] } }),
    Width(
      count: 4,
      latest: { Signal.combineLatest($0[0], $0[1], $0[2], $0[3]).map { a, b, c, d in [a, b, c, d] } },
      latestOfProducers: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3]).map { a, b, c, d in [a, b, c, d] }
      },
      zipped: { Signal.zip($0[0], $0[1], $0[2], $0[3]).map { a, b, c, d in [a, b, c, d] } },
      zippedOfProducers: { SignalProducer.zip($0[0], $0[1], $0[2], $0[3]).map { a, b, c, d in [a, b, c, d] } }),
    Width(
      count: 5,
      latest: { Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, b, c, d, e in [a, b, c, d, e] } },
      latestOfProducers: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, b, c, d, e in [a, b, c, d, e] }
      },
      zipped: { Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, b, c, d, e in [a, b, c, d, e] } },
      zippedOfProducers: {
        SignalProducer.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map { a, b, c, d, e in [a, b, c, d, e] }
      }),
    Width(
      count: 6,
      latest: {
        Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { a, b, c, d, e, f in [a, b, c, d, e, f] }
      },
      latestOfProducers: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { a, b, c, d, e, f in
          [a, b, c, d, e, f]
        }
      },
      zipped: { Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { a, b, c, d, e, f in [a, b, c, d, e, f] } },
      zippedOfProducers: {
        SignalProducer.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { a, b, c, d, e, f in [a, b, c, d, e, f] }
      }),
    Width(
      count: 7,
      latest: {
        Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map { a, b, c, d, e, f, g in
          [a, b, c, d, e, f, g]
        }
      },
      latestOfProducers: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map { a, b, c, d, e, f, g in
          [a, b, c, d, e, f, g]
        }
      },
      zipped: {
        Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map { a, b, c, d, e, f, g in [a, b, c, d, e, f, g] }
      },
      zippedOfProducers: {
        SignalProducer.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map { a, b, c, d, e, f, g in
          [a, b, c, d, e, f, g]
        }
      }),
    Width(
      count: 8,
      latest: {
        Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map { a, b, c, d, e, f, g, h in
          [a, b, c, d, e, f, g, h]
        }
      },
      latestOfProducers: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map {
          a, b, c, d, e, f, g, h in [a, b, c, d, e, f, g, h]
        }
      },
      zipped: {
        Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map { a, b, c, d, e, f, g, h in
          [a, b, c, d, e, f, g, h]
        }
      },
      zippedOfProducers: {
        SignalProducer.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map { a, b, c, d, e, f, g, h in
          [a, b, c, d, e, f, g, h]
        }
      }),
    Width(
      count: 9,
      latest: {
        Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7], $0[8]).map {
          a, b, c, d, e, f, g, h, i in [a, b, c, d, e, f, g, h, i]
        }
      },
      latestOfProducers: {
        SignalProducer.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7], $0[8]).map {
          a, b, c, d, e, f, g, h, i in [a, b, c, d, e, f, g, h, i]
        }
      },
      zipped: {
        Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7], $0[8]).map { a, b, c, d, e, f, g, h, i in
          [a, b, c, d, e, f, g, h, i]
        }
      },
      zippedOfProducers: {
        SignalProducer.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7], $0[8]).map {
          a, b, c, d, e, f, g, h, i in [a, b, c, d, e, f, g, h, i]
        }
      }),
  ]

  private static let seeds: [UInt64] = Array(1...40)

  @Test(arguments: widths, seeds)
  func `combineLatest of arguments sends what that of a list sends`(_ width: Width, _ seed: UInt64) {
    let expected = log(width, seed) { Signal.combineLatest($0) }
    #expect(log(width, seed, width.latest) == expected)
    #expect(log(width, seed) { width.latestOfProducers($0.map(\.producer)).observed() } == expected)
  }

  @Test(arguments: widths, seeds)
  func `zip of arguments sends what that of a list sends`(_ width: Width, _ seed: UInt64) {
    let expected = log(width, seed) { Signal.zip($0) }
    #expect(log(width, seed, width.zipped) == expected)
    #expect(log(width, seed) { width.zippedOfProducers($0.map(\.producer)).observed() } == expected)
  }

  @Test(arguments: widths) func `zip completes with the tuple after which none can come`(_ width: Width) {
    for (place, zip) in width.zips {
      let trial = Trial(width.count, zip)
      let others = trial.inputs.indices.filter { $0 != place }
      trial.inputs[place].send(value: place)
      trial.inputs[place].sendCompleted()
      for other in others {
        #expect(trial.events == [], "\(place)")
        for value in [other, other + 100] { trial.inputs[other].send(value: value) }
      }
      #expect(trial.events == [.value(Array(trial.inputs.indices)), .completed], "\(place)")
    }
  }

  @Test(arguments: widths) func `zip completes at once with a source that has nothing waiting`(_ width: Width) {
    for (place, zip) in width.zips {
      let trial = Trial(width.count, zip)
      for other in trial.inputs.indices where other != place { trial.inputs[other].send(value: other) }
      #expect(trial.events == [], "\(place)")
      trial.inputs[place].sendCompleted()
      #expect(trial.events == [.completed], "\(place)")
    }
  }

  @Test(arguments: widths, [Event<Int, Failure>.failed(Failure(code: 1)), .interrupted])
  func `zip fails or is interrupted at once, whatever waits`(_ width: Width, _ ending: Event<Int, Failure>) {
    for (place, zip) in width.zips { tryEnding(width.count, place, zip, ending) }
  }

  @Test(arguments: widths) func `each argument has its place`(_ width: Width) {
    let numbers = Array(0..<width.count)
    let producers = numbers.map { Work(value: $0) }
    for join in [width.latestOfProducers, width.zippedOfProducers] {
      var events: [Event<[Int], Failure>] = []
      join(producers).start { events.append($0) }
      #expect(events == [.value(numbers), .completed])
    }
  }

  @Test(arguments: widths) func `a join that is disposed of leaves its sources`(_ width: Width) {
    var left = 0
    let producers = (0..<width.count).map { _ in Work.never.on(disposed: { left += 1 }) }
    width.latestOfProducers(producers).start().dispose()
    #expect(left == width.count)
    width.zippedOfProducers(producers).start().dispose()
    #expect(left == 2 * width.count)
  }
}

extension WideJoinTests {
  /// Ends a source whose value waits for that of one other source, while values of the other sources, which have
  /// completed, wait.
  private func tryEnding(
    _ count: Int, _ place: Int, _ zip: ([Stream]) -> Signal<[Int], Failure>, _ ending: Event<Int, Failure>
  ) {
    for missing in 0..<count where missing != place {
      let trial = Trial(count, zip)
      for waiting in 0..<count where waiting != missing {
        trial.inputs[waiting].send(value: waiting)
        if waiting != place { trial.inputs[waiting].sendCompleted() }
      }
      #expect(trial.events == [], "\(place) waits for \(missing)")
      trial.inputs[place].send(ending)
      #expect(trial.events == [ending.map { [$0] }], "\(place) waits for \(missing)")
    }
  }

  /// Returns the events of a join of `width` signals that receive values and endings in a generated order; its observer
  /// answers some of them during the delivery.
  private func log(
    _ width: Width, _ seed: UInt64, _ join: ([Stream]) -> Signal<[Int], Failure>
  ) -> [Event<[Int], Failure>] {
    var random = SplitMix(seed: seed)
    let pipes = (0..<width.count).map { _ in Stream.pipe() }
    var events: [Event<[Int], Failure>] = []
    join(pipes.map(\.output)).observe { event in
      events.append(event)
      guard let sum = event.value?.reduce(0, +), sum % 3 == 0, events.count < 500 else { return }
      pipes[sum % width.count].input.send(value: 1_000 + sum % 100)
    }
    for number in 0..<20 * width.count {
      let input = pipes[Int(random.next() % UInt64(width.count))].input
      switch random.next() % 200 {
      case 0: input.send(error: Failure(code: number))
      case 1: input.sendInterrupted()
      case 2...9: input.sendCompleted()
      default: input.send(value: number)
      }
    }
    for (_, input) in pipes { input.sendCompleted() }
    return events
  }
}

extension WideJoinTests.Width {
  /// The zip of signals and that of producers, once for each position of a source.
  fileprivate var zips: [(place: Int, zip: ([WideJoinTests.Stream]) -> Signal<[Int], Failure>)] {
    (0..<count).flatMap { place in
      [(place, { zipped($0) }), (place, { zippedOfProducers($0.map(\.producer)).observed() })]
    }
  }
}

/// A join of several pipes, and its emitted events.
private final class Trial {
  let inputs: [Observer<Int, Failure>]
  private(set) var events: [Event<[Int], Failure>] = []

  init(_ count: Int, _ join: ([WideJoinTests.Stream]) -> Signal<[Int], Failure>) {
    let pipes = (0..<count).map { _ in WideJoinTests.Stream.pipe() }
    inputs = pipes.map(\.input)
    join(pipes.map(\.output)).observe { [weak self] in self?.events.append($0) }
  }
}

extension SignalProducer {
  /// The signal of a run that starts at once.
  fileprivate func observed() -> Signal<Value, Failure> {
    let (output, input) = Signal<Value, Failure>.pipe()
    start(input)
    return output
  }
}

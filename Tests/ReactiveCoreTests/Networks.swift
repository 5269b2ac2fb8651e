import ReactiveCore
import Testing

/// One instance of a network of signals, for threads to send into.
struct Circuit: Sendable {
  /// Starts or observes the output, whose values are the stamps that it was made of.
  let observe: @Sendable (Observer<[Stamp], Never>) -> (any Disposable)?
  /// One for each sender.
  let inputs: [Observer<Stamp, Never>]

  init(_ output: Signal<Stamp, Never>, _ inputs: [Observer<Stamp, Never>]) {
    self.init(rows: output.map { [$0] }, inputs)
  }

  init(rows output: Signal<[Stamp], Never>, _ inputs: [Observer<Stamp, Never>]) {
    observe = { output.observe($0) }
    self.inputs = inputs
  }

  init(_ output: SignalProducer<Stamp, Never>, _ inputs: [Observer<Stamp, Never>]) {
    let rows = output.map { [$0] }
    observe = { rows.start($0) }
    self.inputs = inputs
  }
}

/// A source or a join, and its guarantee to the senders.
struct Network: Sendable, CustomTestStringConvertible {
  enum Promise: Sendable {
    /// All values of each sender, once, in order.
    case everything
    /// All values of each sender, once, in order, but possibly only after the inputs have completed.
    case everythingInTurn
    /// Some values of each sender, once, in order.
    case part
    /// A row for each number, with every sender's value of that number.
    case pairs
    /// The numbers of each column never decrease, and each row has a new one.
    case latest
  }

  let name: String
  let promise: Promise
  let make: @Sendable () -> Circuit
  var testDescription: String { name }

  init(_ name: String, _ promise: Promise, _ make: @escaping @Sendable () -> Circuit) {
    self.name = name
    self.promise = promise
    self.make = make
  }

  /// A network of three pipes' outputs.
  private static func joining(
    _ name: String, _ promise: Promise, _ join: @escaping @Sendable ([Signal<Stamp, Never>]) -> Signal<Stamp, Never>
  ) -> Network {
    Network(name, promise) {
      let pipes = (0..<3).map { _ in Signal<Stamp, Never>.pipe() }
      return Circuit(join(pipes.map(\.output)), pipes.map(\.input))
    }
  }

  /// A network of one pipe that all senders share.
  private static func sharing(
    _ name: String, _ promise: Promise = .everything,
    _ share: @escaping @Sendable (Signal<Stamp, Never>) -> SignalProducer<Stamp, Never>
  ) -> Network {
    Network(name, promise) {
      let (signal, input) = Signal<Stamp, Never>.pipe()
      return Circuit(share(signal), [input, input, input])
    }
  }

  /// A network of two pipes whose values are combined in rows.
  private static func pairing(
    _ name: String, _ promise: Promise,
    _ join: @escaping @Sendable (Signal<Stamp, Never>, Signal<Stamp, Never>) -> Signal<[Stamp], Never>
  ) -> Network {
    Network(name, promise) {
      let pipes = (0..<2).map { _ in Signal<Stamp, Never>.pipe() }
      return Circuit(rows: join(pipes[0].output, pipes[1].output), pipes.map(\.input))
    }
  }

  static let all = sources + joins + nested + shared

  private static let sources: [Network] = [
    joining("merge", .everything) { .merge($0) },
    joining("chains", .everything) {
      .merge($0.map { $0.map { $0 }.filter { _ in true }.scan(nil) { $1 }.compactMap { $0 } })
    },
    sharing("pipe") { SignalProducer($0) },
    Network("property", .everything) {
      let property = MutableProperty(Stamp(sender: 0, number: -1))
      let input = Observer<Stamp, Never>(value: { property.value = $0 }, ending: { _ in })
      return Circuit(property.signal, [input, input, input])
    },
    Network("property bound to a merge", .everything) {
      let property = MutableProperty(Stamp(sender: 0, number: -1))
      let pipes = (0..<3).map { _ in Signal<Stamp, Never>.pipe() }
      property <~ Signal.merge(pipes.map(\.output))
      return Circuit(property.signal.on(disposed: { withExtendedLifetime(property) {} }), pipes.map(\.input))
    },
    Network("derived property", .everything) {
      let property = MutableProperty(Stamp(sender: 0, number: -1))
      let derived = property.map { $0 }
      let input = Observer<Stamp, Never>(value: { property.value = $0 }, ending: { _ in })
      return Circuit(derived.signal.on(disposed: { withExtendedLifetime(derived) {} }), [input, input, input])
    },
    Network("action", .part) {
      let action = Action<Stamp, Stamp, Never> { SignalProducer(value: $0) }
      let input = Observer<Stamp, Never>(value: { action.apply($0).start() }, ending: { _ in })
      return Circuit(action.values, [input, input, input])
    },
  ]

  private static let joins: [Network] = [
    pairing("zip", .pairs) { $0.zip(with: $1).map { [$0.0, $0.1] } },
    Network("zip of three", .pairs) {
      let pipes = (0..<3).map { _ in Signal<Stamp, Never>.pipe() }
      return Circuit(rows: Signal.zip(pipes.map(\.output)), pipes.map(\.input))
    },
    pairing("combineLatest", .latest) { $0.combineLatest(with: $1).map { [$0.0, $0.1] } },
    Network("combineLatest of three", .latest) {
      let pipes = (0..<3).map { _ in Signal<Stamp, Never>.pipe() }
      return Circuit(rows: Signal.combineLatest(pipes.map(\.output)), pipes.map(\.input))
    },
    pairing("withLatest", .latest) { $0.withLatest(from: $1).map { [$0.0, $0.1] } },
    pairing("sample", .latest) { $0.sample(with: $1).map { [$0.0, $0.1] } },
    joining("take(until:)", .part) { inputs in
      Signal.merge(inputs[0], inputs[1]).take(until: inputs[2].filter { $0.number == 100 }.map(value: ()))
    },
    joining("skip(until:)", .part) { inputs in
      Signal.merge(inputs[0], inputs[1]).skip(until: inputs[2].filter { $0.number == 100 }.map(value: ()))
    },
    joining("take(untilReplacement:)", .part) { .merge($0[0].take(untilReplacement: $0[1]), $0[2]) },
    joining("switch", .part) { inputs in
      Signal.switch(inputs[2].map { $0.number % 3 }, cases: [0: inputs[0], 1: inputs[1]], unmatched: .ignore)
    },
  ]

  private static let nested: [Network] = [
    joining("flatten of signals, merging", .everything) { inputs in
      var flattened: Signal<Stamp, Never>?
      SignalProducer<Signal<Stamp, Never>, Never>(inputs).flatten(.merge).startWithSignal { signal, _ in
        flattened = signal
      }
      return flattened ?? .empty
    },
    joining("flatMap, merging", .everything) { Signal.merge($0).flatMap(.merge) { SignalProducer(value: $0) } },
    joining("flatMap, one after the other", .everything) {
      Signal.merge($0).flatMap(.concat) { SignalProducer(value: $0) }
    },
    joining("flatMap, two at a time", .everything) {
      Signal.merge($0).flatMap(.concurrent(limit: 2)) { SignalProducer(value: $0) }
    },
    joining("flatMap, the latest", .part) { Signal.merge($0).flatMap(.latest) { SignalProducer(value: $0) } },
    joining("flatMap, throttled", .part) { Signal.merge($0).flatMap(.throttle) { SignalProducer(value: $0) } },
    joining("flatMap, the first of all", .part) { Signal.merge($0).flatMap(.race) { SignalProducer(value: $0) } },
    joining("groupBy", .everything) { Signal.merge($0).groupBy { $0.sender }.flatten(.merge) },
    replaying("concat", .everythingInTurn) { $0[0].concat($0[1]).concat($0[2]) },
    replaying("flatten, one after the other", .everythingInTurn) {
      SignalProducer<SignalProducer<Stamp, Never>, Never>($0).flatten(.concat)
    },
    replaying("flatten, two at a time", .everythingInTurn) {
      SignalProducer<SignalProducer<Stamp, Never>, Never>($0).flatten(.concurrent(limit: 2))
    },
  ]

  private static let shared: [Network] = [
    sharing("replaying pipe") { signal in
      let (output, input) = SignalProducer<Stamp, Never>.replayingPipe()
      signal.observe(input)
      return output
    },
    sharing("replayLazily") { SignalProducer($0).replayLazily(upTo: 3) },
    sharing("share") { SignalProducer($0).share() },
    sharing("share with replay") { SignalProducer($0).share(replay: 2, resetOn: []) },
    sharing("publish") { signal in
      let connection = SignalProducer(signal).publish()
      connection.connect()
      return connection.producer
    },
    sharing("multicast with replay") { signal in
      let connection = SignalProducer(signal).multicast(SignalProducer.replayingPipe(upTo: 5))
      connection.connect()
      return connection.producer
    },
    sharing("autoconnect") { SignalProducer($0).publish().autoconnect() },
  ]

  /// A network of three replaying pipes, whose one run is shared.
  private static func replaying(
    _ name: String, _ promise: Promise,
    _ join: @escaping @Sendable ([SignalProducer<Stamp, Never>]) -> SignalProducer<Stamp, Never>
  ) -> Network {
    Network(name, promise) {
      let pipes = (0..<3).map { _ in SignalProducer<Stamp, Never>.replayingPipe() }
      return Circuit(join(pipes.map(\.output)).share(), pipes.map(\.input))
    }
  }
}

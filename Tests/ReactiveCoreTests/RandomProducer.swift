import ReactiveCore
import TestSupport

/// A producer of a random network: it emits numbers, or fails.
typealias RandomProducer = SignalProducer<Int, Failure>

/// A generator of random networks of producers.
///
/// Nodes may be used several times, so that runs share parts. Counts of repetitions are small: a run whose sources have
/// ended already must end.
struct RandomProducers {
  private(set) var random: SplitMix
  private let signals: [Signal<Int, Failure>]
  private let audit: Audit
  private var made: [(name: String, producer: RandomProducer)] = []

  /// Faults of the network's sources and sharings, and their live runs.
  final class Audit: Sendable {
    let alive = Counter()
    let overlaps = Counter()
  }

  init(seed: UInt64, on signals: [Signal<Int, Failure>], _ audit: Audit) {
    random = SplitMix(seed: seed)
    self.signals = signals
    self.audit = audit
  }

  /// Returns the last nodes of a network of `count`, with their composition.
  mutating func make(count: Int) -> [(name: String, producer: RandomProducer)] {
    for _ in 0..<3 { made.append(source()) }
    for _ in 0..<count { made.append(derived()) }
    return made.suffix(4)
  }

  private mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func some() -> (name: String, producer: RandomProducer) { made[number(below: made.count)] }

  // MARK: Nodes

  private mutating func source() -> (name: String, producer: RandomProducer) {
    let index = number(below: signals.count)
    let signal = signals[index]
    switch number(below: 4) {
    case 0: return ("s\(index)", RandomProducer(signal))
    case 1: return ("s\(index).take(1).repeat", RandomProducer(signal).take(first: 1).repeat(1_000_000))
    case 2: return ("values", RandomProducer([1, 2, 3]))
    default: return ("work(s\(index))", work(on: signal))
    }
  }

  /// Work that is alive until its lifetime ends; it fails with every seventh number.
  private func work(on signal: Signal<Int, Failure>) -> RandomProducer {
    RandomProducer { [audit] observer, lifetime in
      let life = Life(audit.alive)
      lifetime.observeEnded { withExtendedLifetime(life) {} }
      observer.send(value: 0)
      lifetime += signal.observe(
        Observer(
          value: { $0 % 7 == 6 ? observer.send(error: Failure(code: $0)) : observer.send(value: $0) },
          ending: { observer.send($0) }))
    }
  }

  /// A producer that must have only one run at a time.
  private func alone(_ producer: RandomProducer) -> RandomProducer {
    let present = Counter()
    return RandomProducer { [audit] observer, lifetime in
      if present.enter() > 1 { audit.overlaps.enter() }
      lifetime.observeEnded { present.leave() }
      lifetime += producer.start(observer)
    }
  }

  private mutating func derived() -> (name: String, producer: RandomProducer) {
    switch number(below: 3) {
    case 0: changed()
    case 1: shared()
    default: joined()
    }
  }

  private mutating func changed() -> (name: String, producer: RandomProducer) {
    let (name, producer) = some()
    let count = 1 + number(below: 3)
    switch number(below: 6) {
    case 0: return ("\(name).map", producer.map { $0 + 1 })
    case 1: return ("\(name).take(\(count))", producer.take(first: count))
    case 2: return ("\(name).repeat(\(count))", producer.repeat(count))
    case 3: return ("\(name).retry(\(count))", producer.retry(upTo: count))
    case 4: return ("\(name).scan", producer.scan(0) { $0 &+ $1 })
    default: return ("\(name).skipRepeats", producer.skipRepeats())
    }
  }

  private mutating func shared() -> (name: String, producer: RandomProducer) {
    let (name, producer) = some()
    let capacity = number(below: 3)
    switch number(below: 5) {
    case 0: return ("\(name).share", alone(producer).share())
    case 1: return ("\(name).share(\(capacity))", alone(producer).share(replay: capacity))
    case 2: return ("\(name).share(kept)", alone(producer).share(replay: capacity, resetOn: .failure))
    case 3: return ("\(name).replayLazily(\(capacity))", alone(producer).replayLazily(upTo: capacity))
    default: return ("\(name).autoconnect", alone(producer).publish().autoconnect())
    }
  }

  private mutating func joined() -> (name: String, producer: RandomProducer) {
    let ((one, first), (other, second)) = (some(), some())
    let strategies: [FlattenStrategy] = [.merge, .concat, .latest, .race, .throttle, .concurrent(limit: 2)]
    let strategy = number(below: strategies.count)
    switch number(below: 7) {
    case 0, 1: return ("\(one).flatMap\(strategy)(\(other))", first.flatMap(strategies[strategy]) { _ in second })
    case 2: return ("\(one).concat(\(other))", first.concat(second))
    case 3: return ("\(one).merge(\(other))", .merge([first, second]))
    case 4: return ("\(one).catch(\(other))", first.flatMapError { _ in second })
    case 5: return ("\(one).until(\(other))", first.take(until: second.map { _ in () }.flatMapError { _ in .empty }))
    default: return ("\(one).latest(\(other))", first.combineLatest(with: second).map { $0 &+ $1 })
    }
  }
}

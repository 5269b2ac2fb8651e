/// The treatment of a key without a case in `switch`.
public enum UnmatchedKey<Source, Failure: Error> {
  /// Switch to this.
  case use(Source)
  /// Fail; RAC's `RACSignalErrorNoMatchingCase`.
  case fail(Failure)
  /// Stay with the previous case.
  case ignore

  /// Returns the source to switch to, if any.
  func choice(failing: (Failure) -> Source) -> Source? {
    switch self {
    case .use(let source): source
    case .fail(let error): failing(error)
    case .ignore: nil
    }
  }
}

extension SignalProducer {
  /// The events of the case that the latest key chooses; each key interrupts the previous case.
  ///
  /// Completes when the keys and the last case have. RAC's `switch:cases:default:`.
  ///
  /// - Parameters:
  ///   - keys: The keys; the latest one chooses.
  ///   - cases: The stream for each key.
  ///   - unmatched: The treatment of a key that has no case.
  public static func `switch`<Key: Hashable>(
    _ keys: SignalProducer<Key, Failure>, cases: [Key: SignalProducer],
    unmatched: UnmatchedKey<SignalProducer, Failure>
  ) -> SignalProducer {
    keys.compactMap { cases[$0] ?? unmatched.choice { SignalProducer(error: $0) } }.flatten(.latest)
  }

  /// The events of the case that the latest key chooses, or of the default.
  ///
  /// - Parameters:
  ///   - keys: The keys; the latest one chooses.
  ///   - cases: The stream for each key.
  ///   - fallback: The stream for a key that has no case.
  public static func `switch`<Key: Hashable>(
    _ keys: SignalProducer<Key, Failure>, cases: [Key: SignalProducer], default fallback: SignalProducer
  ) -> SignalProducer {
    `switch`(keys, cases: cases, unmatched: .use(fallback))
  }

  /// The events of one producer while the latest condition is true, else of the other; RAC's `if:then:else:`.
  ///
  /// - Parameters:
  ///   - condition: The conditions; the latest one chooses.
  ///   - then: The stream for true.
  ///   - otherwise: The stream for false.
  public static func `if`(
    _ condition: SignalProducer<Bool, Failure>, then: SignalProducer, else otherwise: SignalProducer
  ) -> SignalProducer {
    condition.map { $0 ? then : otherwise }.flatten(.latest)
  }
}

extension Signal {
  /// The events of the case that the latest key chooses; each key ends the observation of the previous case.
  ///
  /// Completes when the keys and the last case have. RAC's `switch:cases:default:`.
  ///
  /// - Parameters:
  ///   - keys: The keys; the latest one chooses.
  ///   - cases: The stream for each key.
  ///   - unmatched: The treatment of a key that has no case.
  public static func `switch`<Key: Hashable>(
    _ keys: Signal<Key, Failure>, cases: [Key: Signal], unmatched: UnmatchedKey<Signal, Failure>
  ) -> Signal {
    keys.compactMap { key -> SignalProducer<Value, Failure>? in
      if let chosen = cases[key] { return chosen.producer }
      if case .fail(let error) = unmatched { return SignalProducer(error: error) }
      return unmatched.choice { _ in .empty }?.producer
    }.flatten(.latest)
  }

  /// The events of the case that the latest key chooses, or of the default.
  ///
  /// - Parameters:
  ///   - keys: The keys; the latest one chooses.
  ///   - cases: The stream for each key.
  ///   - fallback: The stream for a key that has no case.
  public static func `switch`<Key: Hashable>(
    _ keys: Signal<Key, Failure>, cases: [Key: Signal], default fallback: Signal
  ) -> Signal {
    `switch`(keys, cases: cases, unmatched: .use(fallback))
  }

  /// The events of one signal while the latest condition is true, else of the other; RAC's `if:then:else:`.
  ///
  /// - Parameters:
  ///   - condition: The conditions; the latest one chooses.
  ///   - then: The stream for true.
  ///   - otherwise: The stream for false.
  public static func `if`(_ condition: Signal<Bool, Failure>, then: Signal, else otherwise: Signal) -> Signal {
    condition.map { $0 ? then : otherwise }.flatten(.latest)
  }
}

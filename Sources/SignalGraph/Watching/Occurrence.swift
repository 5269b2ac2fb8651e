import JSON

/// Which of the events of a signal one is, counted within the entry that led to it.
package struct Occurrence: Sendable {
  private let entry: Int
  private let index: Int

  init?(of number: Int, in watch: Watch) {
    guard let entry = watch.entry(of: number), let place = watch[number]?.place else { return nil }
    self.entry = entry
    index = watch.events(of: place).filter { $0 < number && watch.entry(of: $0) == entry }.count
  }

  /// The event that is the same one where something else was worked out.
  func event(in watch: Watch, of signal: String) -> SignalEvent? {
    watch.told(by: signal).filter { watch.entry(of: $0) == entry }.dropFirst(index).first.flatMap { watch[$0]?.event }
  }
}

extension SignalEvent {
  /// Whether it tells the same, whatever its number.
  func isSame(as other: SignalEvent?) -> Bool {
    switch (self, other) {
    case (.next(let payload, _), .next(let expected, _)): payload.value == expected.value
    case (.ended(let ending), .ended(let expected)): ending == expected
    default: false
    }
  }
}

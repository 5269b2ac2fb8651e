import ReactiveCore

/// Explains how a value of a signal came about, by having everything worked out again.
///
/// All that it learns it learns by watching: it has the same thing done several times from the same beginning, and looks
/// each time into what the time before has shown to matter.
package struct Explainer {
  /// The event that is to be explained.
  package enum Target {
    /// The value with a number.
    case number(UInt64)
    /// The end of the signal.
    case ending
    /// The last event of those that are told again.
    case last
  }

  let signal: String
  private let target: Target
  let declarations: DeclarationsInView

  /// As often everything is worked out again for what was read; what is not known then is left open.
  private static let mostPasses = 24
  /// How many looks at what was remembered are asked for at once, at first and at most.
  private static let (firstBlock, largestBlock) = (64, 8192)

  package init(_ signal: String, _ target: Target, _ declarations: DeclarationsInView) {
    (self.signal, self.target, self.declarations) = (signal, target, declarations)
  }

  /// Explains the value; `nil` if it was not told again.
  ///
  /// - Parameters:
  ///   - depth: How many steps back the things are followed that were only read for it.
  ///   - workOut: Works out all entries, each by `Watch.enter`, always from the same beginning, until it is told between
  ///     two of them that it can stop.
  package func explanation<Failure: Error>(
    depth: Int, _ workOut: (_ watch: Watch, _ isOver: () -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> Explanation? {
    var looks: Set<Watch.Look> = []
    var explanation: Explanation?
    var block = Self.firstBlock
    for _ in 0..<Self.mostPasses {
      let watch = Watch(looking: looks)
      try workOut(watch) { isOver(watch) }
      guard let number = number(in: watch) else { return explanation }
      var builder = ExplanationBuilder(watch, declarations, block: block)
      let value = builder.node(number, depth: depth)
      let slice = Slice(of: number, in: watch, declarations, isThorough: false, block: block)
      explanation = Explanation(
        value: value, needed: slice.entries.sorted(), entries: watch.entryCount,
        occurrence: Occurrence(of: number, in: watch))
      let missing = builder.looks.union(slice.looks).subtracting(looks)
      if missing.isEmpty { return explanation }
      looks.formUnion(missing)
      block = min(2 * block, Self.largestBlock)
    }
    // Too much was remembered of what was remembered: all that could have been is named instead.
    let watch = Watch(looking: [])
    try workOut(watch) { isOver(watch) }
    if let number = number(in: watch) {
      explanation?.needed = Slice(of: number, in: watch, declarations, isThorough: true).entries.sorted()
    }
    return explanation
  }

  /// The entries that may have led to the value, be it through what operators have forgotten since.
  package func allNeeded<Failure: Error>(
    _ workOut: (_ watch: Watch, _ isOver: () -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> [Int] {
    let watch = Watch()
    try workOut(watch) { isOver(watch) }
    guard let number = number(in: watch) else { return [] }
    return Slice(of: number, in: watch, declarations, isThorough: true).entries.sorted()
  }

  /// Whether the value comes again where only the entries are worked out that it needs.
  package func isSame<Failure: Error>(
    _ explanation: Explanation, _ workOut: (_ watch: Watch) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let watch = Watch()
    try workOut(watch)
    return explanation.occurrence.map { $0.event(in: watch, of: signal)?.isSame(as: explanation.value.event) ?? false }
      ?? false
  }

  private func isOver(_ watch: Watch) -> Bool {
    switch target {
    case .number(let number): return watch.lastSequence(of: signal).map { $0 >= number } ?? false
    case .ending: return watch.ending(of: signal) != nil
    case .last: return false
    }
  }

  private func number(in watch: Watch) -> Int? {
    switch target {
    case .number(let number): watch.told(by: signal, numbered: number)
    case .ending: watch.ending(of: signal)
    case .last: watch.told(by: signal).last
    }
  }
}

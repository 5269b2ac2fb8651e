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
  private static let passesForNeeds = 8
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
    var explanation: Explanation?
    try look(passes: Self.mostPasses, workOut) { watch, number, block in
      var builder = ExplanationBuilder(watch, declarations, block: block)
      explanation = Explanation(
        value: builder.node(number, depth: depth), entries: watch.entryCount,
        occurrence: Occurrence(of: number, in: watch))
      return builder.looks
    }
    return explanation
  }

  /// The entries that it takes to get the value again, oldest first: as few as can be known at little cost.
  ///
  /// - Parameter workOut: See `explanation`.
  package func needed<Failure: Error>(
    _ workOut: (_ watch: Watch, _ isOver: () -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> [Int] {
    var entries: Set<Int> = []
    let isKnown = try look(passes: Self.passesForNeeds, workOut) { watch, number, block in
      let slice = Slice(of: number, in: watch, declarations, isThorough: false, block: block)
      entries = slice.entries
      return slice.looks
    }
    return isKnown ? entries.sorted() : try allNeeded(workOut)
  }

  /// Works everything out again and again, and looks each time into what the time before has asked for.
  ///
  /// - Returns: Whether nothing more was asked for in the end.
  @discardableResult private func look<Failure: Error>(
    passes: Int, _ workOut: (_ watch: Watch, _ isOver: () -> Bool) throws(Failure) -> Void,
    _ learn: (_ watch: Watch, _ number: Int, _ block: Int) -> Set<Watch.Look>
  ) throws(Failure) -> Bool {
    var looks: Set<Watch.Look> = []
    var block = Self.firstBlock
    for _ in 0..<passes {
      let watch = Watch(looking: looks)
      try workOut(watch) { isOver(watch) }
      guard let number = number(in: watch) else { return true }
      let missing = learn(watch, number, block).subtracting(looks)
      if missing.isEmpty { return true }
      looks.formUnion(missing)
      block = min(2 * block, Self.largestBlock)
    }
    return false
  }

  /// All entries that may have led to the value, be it through what operators have forgotten since.
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
    // It may have ended before, and have been started anew.
    case .ending: return false
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

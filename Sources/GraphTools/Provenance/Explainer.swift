import GraphModel
import Signals

/// Explains a signal's value by replay.
///
/// Observes several replays from the same initial state; each examines what the previous one found relevant.
package struct Explainer {
  /// The event to explain.
  package enum Target {
    /// The value with a sequence number.
    case number(UInt64)
    /// The end of the signal.
    case ending
    /// The last replayed event.
    case last
  }

  let signal: String
  private let target: Target
  let declarations: DeclarationsInView
  /// Replaces the declared dependence of all operators.
  var assumedDependence: Dependence?

  /// The maximum number of replays that follow remembered values; what is unknown after that stays open.
  private static let mostPasses = 24
  private static let passesForNeeds = 8
  /// The initial and the maximum number of memory samples requested at once.
  private static let (firstBlock, largestBlock) = (64, 8192)

  package init(_ signal: String, _ target: Target, _ declarations: DeclarationsInView) {
    (self.signal, self.target, self.declarations) = (signal, target, declarations)
  }

  /// Explains the value; `nil` if the replay did not emit it.
  ///
  /// - Parameters:
  ///   - depth: The number of steps back that values only read are followed.
  ///   - workOut: Replays all entries, each in `ProvenanceRecorder.enter`, always from the same state, until `isOver`
  ///     returns true between two of them.
  package func explanation<Failure: Error>(
    depth: Int, _ workOut: (_ recorder: ProvenanceRecorder, _ isOver: () -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> Explanation? {
    var explanation: Explanation?
    try look(passes: Self.mostPasses, workOut) { recorder, number, block in
      var builder = ExplanationBuilder(recorder, declarations, block: block)
      explanation = Explanation(
        value: builder.node(number, depth: depth), entries: recorder.entryCount,
        occurrence: RecordReference(of: number, in: recorder))
      return builder.looks
    }
    return explanation
  }

  /// Returns the entries needed to reproduce the value, oldest first: as few as can be determined at little cost.
  ///
  /// - Parameter workOut: See `explanation`.
  package func needed<Failure: Error>(
    _ workOut: (_ recorder: ProvenanceRecorder, _ isOver: () -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> [Int] {
    var entries: Set<Int> = []
    let isKnown = try look(passes: Self.passesForNeeds, workOut) { recorder, number, block in
      let slice = Slice(of: number, in: recorder, declarations, assuming: assumedDependence, block: block)
      entries = slice.entries
      return slice.looks
    }
    return isKnown ? entries.sorted() : try allNeeded(workOut)
  }

  /// Repeats the replay and samples each time what the previous one requested.
  ///
  /// - Returns: True if nothing more was requested in the end.
  @discardableResult private func look<Failure: Error>(
    passes: Int, _ workOut: (_ recorder: ProvenanceRecorder, _ isOver: () -> Bool) throws(Failure) -> Void,
    _ learn: (_ recorder: ProvenanceRecorder, _ number: Int, _ block: Int) -> Set<ProvenanceRecorder.Look>
  ) throws(Failure) -> Bool {
    var looks: Set<ProvenanceRecorder.Look> = []
    var block = Self.firstBlock
    for _ in 0..<passes {
      let recorder = ProvenanceRecorder(looking: looks)
      try workOut(recorder) { isOver(recorder) }
      guard let number = number(in: recorder) else { return true }
      let missing = learn(recorder, number, block).subtracting(looks)
      if missing.isEmpty { return true }
      looks.formUnion(missing)
      block = min(2 * block, Self.largestBlock)
    }
    return false
  }

  /// Returns all entries that may have contributed to the value, even through state that operators no longer hold.
  package func allNeeded<Failure: Error>(
    _ workOut: (_ recorder: ProvenanceRecorder, _ isOver: () -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> [Int] {
    let recorder = ProvenanceRecorder()
    try workOut(recorder) { isOver(recorder) }
    guard let number = number(in: recorder) else { return [] }
    return Slice(of: number, in: recorder, declarations, assuming: .history).entries.sorted()
  }

  /// Returns true if the signal is computed from another one.
  package func concerns(_ name: String) -> Bool { declarations.distances(to: signal)[name] != nil }

  /// Checks that replaying only the needed entries reproduces the value.
  package func isSame<Failure: Error>(
    _ explanation: Explanation, _ workOut: (_ recorder: ProvenanceRecorder) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let recorder = ProvenanceRecorder()
    try workOut(recorder)
    return explanation.occurrence.map {
      $0.event(in: recorder, of: signal)?.isSame(as: explanation.value.event) ?? false
    }
      ?? false
  }

  private func isOver(_ recorder: ProvenanceRecorder) -> Bool {
    switch target {
    case .number(let number): return recorder.lastSequence(of: signal).map { $0 >= number } ?? false
    // It may have ended before and been restarted.
    case .ending: return false
    case .last: return false
    }
  }

  private func number(in recorder: ProvenanceRecorder) -> Int? {
    switch target {
    case .number(let number): recorder.emitted(by: signal, numbered: number)
    case .ending: recorder.ending(of: signal)
    case .last: recorder.emitted(by: signal).last
    }
  }
}

/// Two sources joined in the domain of the join that they feed.
///
/// Joins of three to eight consist of pairs, which are specialised for their types; a pack of types is not, and takes
/// half a microsecond a value. Since all pairs share one domain, a value takes two locks however deep they are nested.
@usableFromInline struct SourcePair<Operation: Join, Left: Source, Right: Source>: Source
where
  Operation.Left == Left.Value, Operation.LeftFailure == Left.Failure, Operation.Right == Right.Value,
  Operation.RightFailure == Right.Failure
{
  @usableFromInline typealias Value = Operation.Output
  @usableFromInline typealias Failure = Operation.OutputFailure
  @usableFromInline let operation: Operation
  @usableFromInline let left: Left
  @usableFromInline let right: Right

  @inlinable init(_ operation: Operation, _ left: Left, _ right: Right) {
    self.operation = operation
    self.left = left
    self.right = right
  }

  @inlinable func feed(_ observer: Observer<Value, Failure>, in scope: Scope) {
    let (first, second) = operation.observers(for: Relay(observer), in: scope)
    left.feed(first, in: scope)
    right.feed(second, in: scope)
  }
}

extension Source {
  @inlinable func latest<Other: Source>(
    with other: Other
  ) -> SourcePair<CombineLatest<Value, Other.Value, Failure>, Self, Other> where Other.Failure == Failure {
    SourcePair(CombineLatest(), self, other)
  }

  @inlinable func zipped<Other: Source>(
    with other: Other
  ) -> SourcePair<Zip<Value, Other.Value, Failure>, Self, Other> where Other.Failure == Failure {
    SourcePair(Zip(nil), self, other)
  }
}

extension Signal {
  /// The signal of a join's values after `flatten` has made one tuple of the nested ones.
  @inlinable static func joined<Joined: Source>(
    _ sources: Joined, flatten: @escaping (Joined.Value) -> Value
  ) -> Signal where Joined.Failure == Failure {
    joined { derived, scope in sources.feed(Map(flatten).observer(for: derived), in: scope) }
  }
}

extension SignalProducer {
  /// The producer of a join's values after `flatten` has made one tuple of the nested ones.
  @inlinable static func joined<Joined: Source>(
    _ sources: Joined, flatten: @escaping (Joined.Value) -> Value
  ) -> SignalProducer where Joined.Failure == Failure {
    joined { relay, run in sources.feed(Map(flatten).observer(for: relay), in: run) }
  }
}

/// A domain together with its resources: that of a join, of an operator that waits, or of a run of a producer.
@usableFromInline package class Scope: Domain, Disposable, @unchecked Sendable {
  private let holdings = FutexLock()
  private var first: (any Disposable)?
  private var others: CompositeDisposable?
  private var isOver = false

  @usableFromInline package override init() { super.init() }

  @usableFromInline package var isDisposed: Bool { holdings.withLock { isOver } }

  @usableFromInline package func dispose() { release() }

  /// Holds a resource until this ends, such as an upstream subscription or a timer; disposes of it at once if this has
  /// ended.
  ///
  /// Most scopes hold one or two, so the first is stored inline and the collection is created for the second.
  @usableFromInline package final func hold(_ disposable: any Disposable) {
    let place: Place = holdings.withLock {
      if isOver { return .none }
      if first == nil, others == nil {
        first = disposable
        return .here
      }
      return .among(collection())
    }
    switch place {
    case .none: disposable.dispose()
    case .here: break
    case .among(let others): others.hold(disposable)
    }
  }

  /// Removes a resource that has nothing left to dispose of.
  @usableFromInline final func drop(_ disposable: any Disposable) {
    let dropped: (any Disposable)? = holdings.withLock {
      if first === disposable { return first.take() }
      others?.drop(disposable)
      return nil
    }
    withExtendedLifetime(dropped) {}
  }

  /// The resources as a collection, created on first use; disposed of if the scope has ended.
  @usableFromInline package final var resources: CompositeDisposable { holdings.withLock { collection() } }

  /// Disposes of the resources, and of any added later.
  @usableFromInline package final func release() {
    let (first, others): ((any Disposable)?, CompositeDisposable?) = holdings.withLock {
      isOver = true
      return (self.first.take(), self.others.take())
    }
    first?.dispose()
    others?.dispose()
  }

  private enum Place {
    case none
    case here
    case among(CompositeDisposable)
  }

  private func collection() -> CompositeDisposable {
    if let others { return others }
    let made = CompositeDisposable()
    if isOver { made.dispose() } else { others = made }
    return made
  }
}

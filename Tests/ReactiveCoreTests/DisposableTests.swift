import ReactiveCore
import Testing

@Suite struct DisposableTests {
  @Test func `an action runs once`() {
    var runs = 0
    let disposable = AnyDisposable { runs += 1 }
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.dispose()
    #expect(runs == 1)
    #expect(disposable.isDisposed)
  }

  @Test func `a composite disposes of its members in their order, and of later ones at once`() {
    var log: [String] = []
    let composite = CompositeDisposable([AnyDisposable { log.append("a") }, nil])
    composite += { log.append("b") }
    let removed = composite.add { log.append("never") }
    removed?.dispose()
    composite.dispose()
    composite.add { log.append("late") }
    #expect(log == ["a", "b", "late"])
  }

  @Test func `a serial disposable disposes of what it replaces`() {
    var log: [String] = []
    let serial = SerialDisposable()
    serial.inner = AnyDisposable { log.append("a") }
    serial.inner = AnyDisposable { log.append("b") }
    #expect(log == ["a"])
    serial.dispose()
    serial.inner = AnyDisposable { log.append("c") }
    #expect(log == ["a", "b", "c"])
  }

  @Test func `a scoped disposable disposes when it is released`() {
    let inner = AnyDisposable()
    do {
      let scoped = ScopedDisposable(inner)
      #expect(!scoped.isDisposed)
    }
    #expect(inner.isDisposed)
  }

  @Test func `a lifetime ends with its token`() {
    var ends = 0
    var (lifetime, token): (Lifetime, Lifetime.Token?) = Lifetime.make()
    lifetime.observeEnded { ends += 1 }
    #expect(!lifetime.hasEnded)
    #expect(token != nil)
    token = nil
    #expect(lifetime.hasEnded)
    lifetime.observeEnded { ends += 1 }
    #expect(ends == 2)
    #expect(Lifetime.empty.hasEnded)
  }

  @Test func `a disposable that stands for another is as disposed as that`() {
    let base = AnyDisposable()
    let other = AnyDisposable(base as any Disposable)
    base.dispose()
    #expect(other.isDisposed)
  }

  @Test func `a composite can be made of plain disposables, and releases them when they are removed`() {
    weak var weakly: AnyDisposable?
    let composite = CompositeDisposable([any Disposable]())
    do {
      let member = AnyDisposable()
      weakly = member
      let handle = composite += member
      #expect(weakly != nil)
      handle?.dispose()
    }
    #expect(weakly == nil)
    #expect((composite += nil) == nil)
    #expect((composite += AnyDisposable()) != nil)
    composite.dispose()
    let late = AnyDisposable()
    #expect((composite += late) == nil)
    #expect(late.isDisposed)
  }

  @Test func `a scoped composite takes members, and a scoped serial its content`() {
    var log: [String] = []
    do {
      let composite = ScopedDisposable(CompositeDisposable())
      composite += { log.append("a") }
      composite += AnyDisposable { log.append("b") }
      let serial = ScopedDisposable(SerialDisposable())
      serial.inner = AnyDisposable { log.append("c") }
      serial.inner = AnyDisposable { log.append("d") }
      #expect(log == ["c"])
      withExtendedLifetime((composite, serial)) {}
    }
    #expect(log.sorted() == ["a", "b", "c", "d"])
  }

  @Test func `a lifetime's end can be observed`() {
    let (lifetime, token) = Lifetime.make()
    var seen: [Event<Never, Never>] = []
    let member = AnyDisposable()
    lifetime += member
    lifetime.ended.observe { seen.append($0) }
    #expect(seen.isEmpty)
    token.dispose()
    #expect(seen.count == 1 && seen[0].isCompleted)
    #expect(member.isDisposed)
    #expect((lifetime += nil) == nil)
  }

  @Test func `a composite that several threads fill and dispose of disposes of each member once`() {
    for _ in 0..<200 {
      let composite = CompositeDisposable()
      let disposals = Counter()
      onThreads(3) { number in
        if number == 0 { composite.dispose() } else { for _ in 0..<20 { composite += { _ = disposals.enter() } } }
      }
      #expect(disposals.present == 40)
    }
  }
}

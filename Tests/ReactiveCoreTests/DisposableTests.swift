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

  @Test func `a composite disposes of its members in their order, and of latecomers at once`() {
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

  @Test func `a scoped disposable disposes when it is let go`() {
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
}

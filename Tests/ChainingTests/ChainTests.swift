import Chaining
import Testing

private final class Label { var text = "" }

@Suite struct ChainTests {
  @Test func `a chain ends when its observer is invalidated or released`() {
    let notifier = Notifier<Int>()
    var seen: [Int] = []
    var observer: AnyObserver? = notifier.chain().do { seen.append($0) }.end()
    notifier.notify(value: 1)
    observer?.invalidate()
    notifier.notify(value: 2)
    observer = notifier.chain().do { seen.append($0) }.end()
    notifier.notify(value: 3)
    observer = nil
    notifier.notify(value: 4)
    #expect(seen == [1, 3])
  }

  @Test func `end sends changes only, sync the present value first`() {
    let holder = ValueHolder(1)
    var (ended, synced): ([Int], [Int]) = ([], [])
    let observers = [holder.chain().do { ended.append($0) }.end(), holder.chain().do { synced.append($0) }.sync()]
    holder.value = 2
    #expect(ended == [2])
    #expect(synced == [1, 2])
    withExtendedLifetime(observers) {}
  }

  @Test func `sync of merged and paired chains begins with the values that there are`() {
    let (holder, notifier) = (ValueHolder(1), Notifier<Int>())
    var (merged, paired): ([Int], [Int?]) = ([], [])
    let observers = [
      holder.chain().merge(notifier.chain()).do { merged.append($0) }.sync(),
      holder.chain().tuple(notifier.chain()).do { paired += [$0.0, $0.1] }.sync(),
    ]
    notifier.notify(value: 2)
    #expect(merged == [1, 2])
    #expect(paired == [1, nil, nil, 2])
    withExtendedLifetime(observers) {}
  }

  @Test func `a chain can be closed more than once and be part of others`() {
    let notifier = Notifier<Int>()
    let doubled = notifier.chain().map { $0 * 2 }
    var seen: [Int] = []
    let observers = [
      doubled.do { seen.append($0) }.end(), doubled.merge(doubled.map { $0 + 1 }).do { seen.append($0) }.end(),
    ]
    notifier.notify(value: 1)
    #expect(seen == [2, 2, 3])
    withExtendedLifetime(observers) {}
  }

  @Test func `sendTo fits optional and plain values to each other`() {
    let notifier = Notifier<Int>()
    let (optional, plain) = (ValueHolder<Int?>(nil), ValueHolder(0))
    let observers = [notifier.chain().sendTo(optional).end(), optional.chain().sendTo(plain).end()]
    notifier.notify(value: 1)
    #expect((optional.value, plain.value) == (1, 1))
    optional.value = nil
    #expect(plain.value == 1)
    withExtendedLifetime(observers) {}
  }

  @Test func `a notifier forwards what it receives`() {
    let (first, second) = (Notifier<Int>(), Notifier<Int>())
    var seen: [Int] = []
    let observers = [first.chain().sendTo(second).end(), second.chain().do { seen.append($0) }.end()]
    first.notify(value: 1)
    #expect(seen == [1])
    withExtendedLifetime(observers) {}
    let bell = Notifier<Void>()
    var rings = 0
    let listener = bell.chain().do { rings += 1 }.end()
    bell.notify()
    #expect(rings == 1)
    withExtendedLifetime(listener) {}
  }

  @Test func `an adapter sets an object's property and notifies its observers`() {
    let label = Label()
    let adapter = PropertyAdapter(label, keyPath: \.text)
    let notifier = Notifier<Int>()
    var seen: [String] = []
    label.text = "old"
    let observers = [
      notifier.chain().map { "\($0)" }.sendTo(adapter).end(), adapter.chain().do { seen.append($0) }.sync(),
    ]
    notifier.notify(value: 1)
    #expect(label.text == "1")
    adapter.value = "2"
    #expect(label.text == "2")
    #expect(seen == ["old", "1", "2"])
    withExtendedLifetime(observers) {}
  }

  @Test func `a change that the present value of an adapter leads to is seen`() {
    let label = Label()
    let adapter = PropertyAdapter(label, keyPath: \.text)
    label.text = "too long"
    var seen: [String] = []
    let observer = adapter.chain().do { text in
      seen.append(text)
      if text.count > 3 { adapter.value = String(text.prefix(3)) }
    }.sync()
    #expect(seen == ["too long", "too"])
    withExtendedLifetime(observer) {}
  }

  @Test func `a source that is gone ends its part of a chain, and an observer keeps nothing`() {
    weak var source: Notifier<Int>?
    weak var target: ValueHolder<Int>?
    let other = Notifier<Int>()
    var seen: [Int] = []
    var observer: AnyObserver?
    do {
      let (notifier, holder) = (Notifier<Int>(), ValueHolder(0))
      (source, target) = (notifier, holder)
      observer = notifier.chain().merge(other.chain()).sendTo(holder).do { seen.append($0) }.end()
      notifier.notify(value: 1)
      #expect(holder.value == 1)
    }
    #expect(source == nil)
    #expect(target == nil)
    other.notify(value: 2)
    #expect(seen == [1, 2])
    withExtendedLifetime(observer) {}
  }

  @Test func `a value set while it is being delivered is delivered afterwards`() {
    let holder = ValueHolder(0)
    var seen: [Int] = []
    let observer = holder.chain().do { value in
      if value < 3 { holder.value = value + 1 }
      seen.append(value)
    }.end()
    holder.value = 1
    #expect(seen == [1, 2, 3])
    observer.invalidate()
  }
}

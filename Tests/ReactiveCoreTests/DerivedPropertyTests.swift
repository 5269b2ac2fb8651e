import ReactiveCore
import Testing

/// A property that is not of this library.
private final class Foreign: PropertyProtocol {
  typealias Value = Int
  private let inner = MutableProperty(1)
  var value: Int {
    get { inner.value }
    set { inner.value = newValue }
  }
  var producer: SignalProducer<Int, Never> { inner.producer }
  var signal: Signal<Int, Never> { inner.signal }
}

@Suite struct DerivedPropertyTests {
  @Test func `a derived property made inside a delivery has a value, and the new one afterwards`() {
    let (left, right) = (MutableProperty(1), MutableProperty(10))
    var sums: [Int] = []
    var sum: Property<Int>?
    left.signal.take(first: 1).observeValues { _ in
      let derived = left.combineLatest(with: right).skipRepeats { $0 == $1 }.map { $0.0 + $0.1 }
      sums.append(derived.value)
      derived.signal.observeValues { sums.append($0) }
      sum = derived
    }
    left.value = 2
    #expect(sums == [12])
    #expect(sum?.value == 12)
    right.value = 20
    #expect(sum?.value == 22)
    #expect(sums == [12, 22])
  }

  @Test func `properties can be transformed by functions, key paths and constants`() {
    let property = MutableProperty("ab")
    let path = \String.count
    let count = property.map(\.count)
    let again = property.map(path)
    let constant = property.map(value: 7)
    let quoted = property.map { "'\($0)'" }
    property.value = "abc"
    #expect(count.value == 3)
    #expect(again.value == 3)
    #expect(constant.value == 7)
    #expect(quoted.value == "'abc'")
  }

  @Test func `filter keeps the initial value until one passes`() {
    let property = MutableProperty(1)
    let even = property.filter(initial: 0) { $0 % 2 == 0 }
    #expect(even.value == 0)
    property.value = 3
    #expect(even.value == 0)
    property.value = 4
    property.value = 5
    #expect(even.value == 4)
  }

  @Test func `combinePrevious, skipRepeats and uniqueValues follow the changes`() {
    let property = MutableProperty(1)
    let pairs = property.combinePrevious(0)
    let (changes, unique) = (property.skipRepeats(), property.uniqueValues())
    var (seenChanges, seenUnique): ([Int], [Int]) = ([], [])
    changes.producer.startWithValues { seenChanges.append($0) }
    unique.producer.startWithValues { seenUnique.append($0) }
    for value in [1, 2, 2, 1, 3] { property.value = value }
    #expect(pairs.value == (1, 3))
    #expect(seenChanges == [1, 2, 1, 3])
    #expect(seenUnique == [1, 2, 3])
  }

  @Test func `combineLatest gives the values of all, and a sentinel or nil for none`() {
    let (number, text) = (MutableProperty(1), MutableProperty("a"))
    let both = Property.combineLatest(number, text)
    text.value = "b"
    #expect(both.value == (1, "b"))
    let list = Property<Int>.combineLatest([number, MutableProperty(5)])
    number.value = 2
    #expect(list?.value == [2, 5])
    #expect(Property<Int>.combineLatest([MutableProperty<Int>]()) == nil)
    #expect(Property<Int>.combineLatest([MutableProperty<Int>](), emptySentinel: [9]).value == [9])
  }

  @Test func `three properties and more are combined and zipped`() {
    let (number, text, flag) = (MutableProperty(1), MutableProperty("a"), MutableProperty(true))
    let three = Property.combineLatest(number, text, flag)
    let four = Property.combineLatest(number, text, flag, number)
    text.value = "b"
    #expect(three.value == (1, "b", true))
    #expect(four.value == (1, "b", true, 1))
    let zipped = Property.zip(number, text, flag)
    let pairs = number.zip(with: text)
    let list = Property<Int>.zip([number, MutableProperty(5)])
    number.value = 2
    #expect(zipped.value == (1, "b", true))
    #expect(pairs.value == (1, "b"))
    #expect(list?.value == [1, 5])
    (text.value, flag.value) = ("c", false)
    #expect(zipped.value == (2, "c", false))
    #expect(pairs.value == (2, "c"))
    #expect(Property<Int>.zip([MutableProperty<Int>](), emptySentinel: []).value == [])
  }

  @Test func `a property of properties is flattened by a strategy`() {
    let (first, second) = (MutableProperty(1), MutableProperty(10))
    let outer = MutableProperty(first)
    let latest = outer.flatten(.latest)
    let merged = outer.flatMap(.merge) { $0.map { $0 * 2 } }
    #expect((latest.value, merged.value) == (1, 2))
    outer.value = second
    #expect((latest.value, merged.value) == (10, 20))
    first.value = 3
    #expect((latest.value, merged.value) == (10, 6))
    second.value = 11
    #expect((latest.value, merged.value) == (11, 22))
  }

  @Test func `booleans can be negated and joined`() {
    let (one, two) = (MutableProperty(true), MutableProperty(false))
    let not = one.negate()
    let (both, either) = (one.and(two), one.or(two))
    let (all, any) = (Property.all([one, two]), Property.any(one, two))
    #expect([not, both, either, all, any].map(\.value) == [false, false, true, false, true])
    two.value = true
    #expect([not, both, either, all, any].map(\.value) == [false, true, true, true, true])
    (one.value, two.value) = (false, false)
    #expect([not, both, either, all, any].map(\.value) == [true, false, false, false, false])
    #expect(Property.all([Property<Bool>]()).value)
    #expect(!Property.any([Property<Bool>]()).value)
  }

  @Test func `a derived property completes with its sources, and does not keep them`() {
    weak var source: MutableProperty<Int>?
    var endings = 0
    let derived: Property<Int>
    do {
      let property = MutableProperty(1)
      source = property
      derived = property.skipRepeats()
      derived.signal.observe(Observer(completed: { endings += 1 }))
      #expect(endings == 0)
    }
    #expect(source == nil)
    #expect(endings == 1)
    #expect(derived.value == 1)
  }

  @Test func `a capturing property keeps what it captures`() {
    weak var source: MutableProperty<Int>?
    var view: Property<Int>?
    var seen: [Event<Int, Never>] = []
    do {
      let property = MutableProperty(1)
      source = property
      view = Property(capturing: property)
      // The outer view is deallocated, and must not end the property's changes.
      _ = view.map { Property(capturing: $0) }
      view?.producer.start { seen.append($0) }
      property.value = 2
    }
    source?.value = 3
    #expect(view?.value == 3)
    view = nil
    #expect(source == nil)
    #expect(seen == [.value(1), .value(2), .value(3), .completed])
  }

  @Test func `properties of other makers can be observed, transformed and captured`() {
    let foreign = Foreign()
    let (view, captured) = (foreign.map { $0 * 2 }, Property(capturing: foreign))
    var seen: [Int] = []
    foreign.producer.startWithValues { seen.append($0) }
    foreign.value = 3
    #expect(seen == [1, 3])
    #expect(view.value == 6)
    #expect(captured.value == 3)
  }

  @Test func `a property that follows an interrupted producer completes`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let property = Property(initial: 0, then: signal)
    let optional = Property<Int?>(initial: nil, then: signal.producer)
    let fromSignal = Property<Int?>(initial: nil, then: signal)
    var seen: [Event<Int, Never>] = []
    property.signal.observe { seen.append($0) }
    input.send(value: 1)
    input.sendInterrupted()
    #expect(seen == [.value(1), .completed])
    #expect(optional.value == 1)
    #expect(fromSignal.value == 1)
  }

  @Test func `an unsafe producer gives the first value at once, and what follows`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let property = Property(unsafeProducer: signal.producer.prefix(value: 1))
    #expect(property.value == 1)
    input.send(value: 2)
    #expect(property.value == 2)
  }

  @Test func `a property whose producer is late traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = Property(unsafeProducer: SignalProducer<Int, Never>.never)
    }
  }

  @Test func `properties can be wrappers`() {
    struct Model {
      @MutableProperty var count = 1
      @Property(value: 5) var constant
    }
    let model = Model()
    var seen: [Int] = []
    model.$count.producer.startWithValues { seen.append($0) }
    model.count = 2
    #expect(seen == [1, 2])
    #expect(model.constant == 5)
    #expect(model.$constant.value == 5)
  }
}

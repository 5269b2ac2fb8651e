import Dispatch
import ReactiveCore
import Testing

@Suite struct PropertyJoinTests {
  @Test func `properties of several types combine and pair`() {
    let name = MutableProperty("a")
    let count = MutableProperty(1)
    let flag = Property(value: true)
    let latest = Property.combineLatest(name, count, flag)
    let pairs = Property.zip(name, count)
    let triples = Property.zip(name, count, MutableProperty(0.5))
    name.value = "b"
    #expect(latest.value == ("b", 1, true))
    #expect(pairs.value == ("a", 1))
    count.value = 2
    #expect(latest.value == ("b", 2, true))
    #expect(pairs.value == ("b", 2))
    #expect(triples.value == ("a", 1, 0.5))
  }

  @Test func `no properties at all pair to nothing or to what was given`() {
    let none: [Property<Int>] = []
    #expect(Property<Int>.zip(none) == nil)
    #expect(Property<Int>.zip(none, emptySentinel: [7]).value == [7])
    #expect(Property<Int>.zip([Property(value: 1), Property(value: 2)])?.value == [1, 2])
  }

  @Test func `a property of properties follows those of its strategy`() {
    let (first, second) = (MutableProperty(1), MutableProperty(10))
    let current = MutableProperty(first)
    let latest = current.flatten(.latest)
    let merged = current.flatMap(.merge) { $0.map { -$0 } }
    current.value = second
    first.value = 2
    #expect(latest.value == 10)
    #expect(merged.value == -2)
    second.value = 11
    #expect(latest.value == 11)
    #expect(merged.value == -11)
  }

  @Test func `a scheduler may carry its work out on a given queue`() async {
    let (done, input) = Signal<String, Never>.pipe()
    let scheduler = QueueScheduler(queue: .global(), name: "named")
    let producer = SignalProducer(done)
    async let label = withCheckedContinuation { continuation in
      producer.take(first: 1).startWithValues { continuation.resume(returning: $0) }
      scheduler.schedule { input.send(value: scheduler.queue.label) }
    }
    #expect(await label == "named")
  }
}

import ReactiveCore
import ReactiveTesting
import Testing

@Suite struct GroupTests {
  private let test = MarbleTest()

  private func upper(_ text: Character) -> Character { Character(text.uppercased()) }

  /// Letters grouped case-insensitively, and merged again.
  @Test(arguments: [("aAbB-c|", "aAbB-c|"), ("ab#", "ab#"), ("ab!", "ab!"), ("|", "|")])
  func `groups end with their source, and flattened they are it`(_ source: String, _ expected: String) {
    let grouped = test.signal(source).groupBy(upper).flatten(.merge)
    #expect(test.run(grouped, expecting: expected) == nil)
    let again = MarbleTest()
    let produced = again.producer(source).groupBy(upper).flatten(.merge)
    #expect(again.run(produced, expecting: expected) == nil)
  }

  @Test func `a group is sent once, before its first value, and knows its key`() {
    let groups = test.signal("abAB-a|").groupBy(upper).map(\.key)
    #expect(test.run(groups, expecting: "AB----|") == nil)
  }

  @Test func `a transform makes what the groups send`() {
    let grouped = test.signal("ab|").groupBy({ $0 }, transform: upper).flatten(.merge)
    #expect(test.run(grouped, expecting: "AB|") == nil)
  }

  @Test func `a group that is idle completes, and a later value opens another`() {
    let keys = test.signal("a-a---a|").groupBy(upper, idle: 3, on: test.scheduler).map(\.key)
    #expect(test.run(keys, expecting: "A-----A|") == nil)
    let other = MarbleTest()
    let ends = other.signal("a-a---a|").groupBy(upper, idle: 3, on: other.scheduler)
      .flatMap(.merge) { $0.producer.concat(value: "z") }
    #expect(other.run(ends, expecting: "a-a--za(z|)") == nil)
  }

  @Test func `groups are closed in the order of their last values, each when it is due`() {
    let ends = test.signal("abca--d----|").groupBy({ $0 }, idle: 3, on: test.scheduler)
      .flatMap(.merge) { $0.producer.ignoreValues().promoteValue().concat(value: upper($0.key)) }
    #expect(test.run(ends, expecting: "----BCA--D-|") == nil)
  }

  @Test func `one timer serves all groups until they are idle, and none is left then`() {
    let clock = TimerCount()
    let (numbers, input) = Signal<Int, Never>.pipe()
    var open = 0
    let observation = numbers.groupBy({ $0 }, idle: 2, on: clock).observeValues { group in
      open += 1
      group.observeCompleted { open -= 1 }
    }
    for number in 0..<1_000 {
      input.send(value: number)
      input.send(value: number / 2)
      #expect(clock.pending == 1)
      if number % 100 == 99 { clock.advance(by: .seconds(1)) }
    }
    #expect(open > 100)
    clock.advance(by: .seconds(3))
    #expect(open == 0)
    #expect(clock.pending == 0)
    withExtendedLifetime(observation) {}
  }

  @Test func `at the limit the oldest group is evicted, or the new group's value is dropped, or it fails`() {
    func keys(_ overflow: Bound<MarbleFailure>.Overflow, expecting expected: String) -> MarbleDifference? {
      let test = MarbleTest()
      let grouped = test.signal("abca|").groupBy({ $0 }, limit: Bound(limit: 2, overflow: overflow)).map(\.key)
      return test.run(grouped, expecting: expected)
    }
    #expect(keys(.dropOldest, expecting: "abca|") == nil)
    #expect(keys(.dropNewest, expecting: "ab--|") == nil)
    #expect(keys(.fail(MarbleFailure()), expecting: "ab#") == nil)
  }

  @Test func `groups are interrupted when the stream of them has no observers`() {
    let (letters, input) = Signal<Character, Never>.pipe()
    var group: GroupedSignal<Character, Character, Never>?
    let observation = letters.groupBy { $0 }.observeValues { group = $0 }
    input.send(value: "a")
    var events: [Event<Character, Never>] = []
    group?.observe { events.append($0) }
    input.send(value: "a")
    observation?.dispose()
    input.send(value: "a")
    #expect(events == [.value("a"), .interrupted])
  }

  @Test func `a switch leaves the case before, and ignores a key without a case if asked to`() {
    let cases = ["x": test.producer("1-2-3|"), "y": test.producer("4-5|")].reduce(into: [:]) {
      $0[Character($1.key)] = $1.value
    }
    let keys = test.producer("x-z-y|")
    #expect(test.run(SignalProducer.switch(keys, cases: cases, unmatched: .ignore), expecting: "1-2-4-5|") == nil)
  }

  @Test func `a switch of signals fails at a key without a case, or takes the default`() {
    let keys = test.signal("x-z|")
    let cases: [Character: Letters] = ["x": test.signal("123456|")]
    #expect(
      test.run(Signal.switch(keys, cases: cases, unmatched: .fail(MarbleFailure())), expecting: "12#") == nil)
    let other = MarbleTest()
    let switched = Signal.switch(
      other.signal("x-z|"), cases: ["x": other.signal("123456|")], default: other.signal("--abcd|"))
    #expect(other.run(switched, expecting: "12abcd|") == nil)
  }

  @Test func `if follows one signal while the condition is true, else the other`() {
    let condition = test.signal("t-f-t|").map { $0 == "t" }
    let chosen = Signal.if(condition, then: test.signal("abcdefg|"), else: test.signal("1234567|"))
    #expect(test.run(chosen, expecting: "ab34efg|") == nil)
  }

  @Test func `a deferred producer is created for each start`() {
    var made = 0
    let producer = SignalProducer<Int, Never>.deferred {
      made += 1
      return SignalProducer(value: made)
    }
    #expect(made == 0)
    var values: [Int] = []
    for _ in 0..<2 { producer.startWithValues { values.append($0) } }
    #expect(values == [1, 2])
  }
}

/// A clock that counts its timers.
private final class TimerCount: DateScheduler {
  private let clock = TestScheduler()
  private(set) var pending = 0

  var currentDate: Instant { clock.currentDate }

  func advance(by interval: Duration) { clock.advance(by: interval) }

  func schedule(_ action: @escaping () -> Void) -> (any Disposable)? { clock.schedule(action) }

  func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    pending += 1
    let end = AnyDisposable { self.pending -= 1 }
    let timer = clock.schedule(after: date) {
      end.dispose()
      action()
    }
    return AnyDisposable {
      timer?.dispose()
      end.dispose()
    }
  }

  func schedule(
    after date: Instant, interval: Duration, leeway: Duration, action: @escaping () -> Void
  ) -> (any Disposable)? {
    clock.schedule(after: date, interval: interval, leeway: leeway, action: action)
  }
}

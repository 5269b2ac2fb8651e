import Chaining
import Testing

/// The examples of the article about SwiftChaining's chains, with the printed results unless noted.
@Suite struct ArticleTests {
  @Test func `do is given each value`() {
    var seen: [Int] = []
    let notifier = Notifier<Int>()

    let observer =
      notifier
      .chain()
      .do({ (value: Int) in
        seen.append(value)
      })
      .end()

    notifier.notify(value: 1)
    #expect(seen == [1])
    withExtendedLifetime(observer) {}
  }

  @Test func `do can be written shorter, and forwards the value`() {
    var seen: [Int] = []
    let notifier = Notifier<Int>()
    let observer = notifier.chain()
      .do { value in
        seen.append(value)
      }
      .do { seen.append($0 * 10) }
      .end()
    notifier.notify(value: 1)
    #expect(seen == [1, 10])
    withExtendedLifetime(observer) {}
  }

  @Test func `map transforms each value`() {
    var seen: [String] = []
    let notifier = Notifier<Int>()

    let observer =
      notifier
      .chain()
      .map({ (intValue: Int) -> String in
        return String(intValue)
      })
      .do({ (strValue: String) in
        seen.append(strValue)
      })
      .end()

    notifier.notify(value: 1)
    #expect(seen == ["1"])
    withExtendedLifetime(observer) {}
  }

  @Test func `map can be written shorter`() {
    var seen: [String] = []
    let notifier = Notifier<Int>()
    let observer = notifier.chain()
      .map { String($0) }
      .do { seen.append($0) }
      .end()
    notifier.notify(value: 1)
    #expect(seen == ["1"])
    withExtendedLifetime(observer) {}
  }

  @Test func `guard lets through what passes`() {
    var seen: [Int] = []
    let notifier = Notifier<Int>()

    let observer =
      notifier
      .chain()
      .guard({ (value: Int) -> Bool in
        return value % 2 != 0
      })
      .do({ value in
        seen.append(value)
      })
      .end()

    for value in 1...4 { notifier.notify(value: value) }
    #expect(seen == [1, 3])
    withExtendedLifetime(observer) {}
  }

  @Test func `merge forwards the values of both`() {
    var seen: [Int] = []
    let notifier1 = Notifier<Int>()
    let notifier2 = Notifier<Int>()

    let chain1 = notifier1.chain()
    let chain2 = notifier2.chain()

    let observer =
      chain1
      .merge(chain2)
      .do { value in
        seen.append(value)
      }
      .end()

    notifier1.notify(value: 1)
    notifier2.notify(value: 2)
    #expect(seen == [1, 2])
    withExtendedLifetime(observer) {}
  }

  @Test func `tuple fills one side at a time`() {
    var seen: [(Int?, String?)] = []
    let notifier1 = Notifier<Int>()
    let notifier2 = Notifier<String>()

    let chain1 = notifier1.chain()
    let chain2 = notifier2.chain()

    let observer =
      chain1
      .tuple(chain2)
      .do { (value1: Int?, value2: String?) in
        seen.append((value1, value2))
      }.end()

    notifier1.notify(value: 1)
    notifier2.notify(value: "2")
    #expect(seen.count == 2)
    #expect(seen[0] == (1, nil))
    #expect(seen[1] == (nil, "2"))
    withExtendedLifetime(observer) {}
  }

  @Test func `combine with values to begin with sends when it is synced`() {
    var seen: [String] = []
    let holder1 = ValueHolder(1)
    let holder2 = ValueHolder("2")

    let chain1 = holder1.chain()
    let chain2 = holder2.chain()

    let observer =
      chain1
      .combine(chain2)
      .do { (value1: Int, value2: String) in
        seen.append("\(value1) \(value2)")
      }
      .sync()

    #expect(seen == ["1 2"])
    holder1.value = 3
    holder2.value = "4"
    #expect(seen == ["1 2", "3 2", "3 4"])
    withExtendedLifetime(observer) {}
  }

  @Test func `combine without values waits for both`() {
    var seen: [String] = []
    let notifier1 = Notifier<Int>()
    let notifier2 = Notifier<String>()

    let observer = notifier1.chain()
      .combine(notifier2.chain())
      .do { (value1: Int, value2: String) in
        seen.append("\(value1) \(value2)")
      }
      .end()

    notifier1.notify(value: 0)
    #expect(seen == [])

    notifier1.notify(value: 1)
    #expect(seen == [])

    notifier2.notify(value: "2")
    #expect(seen == ["1 2"])
    withExtendedLifetime(observer) {}
  }

  @Test func `sendTo sets what it sends to`() {
    let notifier = Notifier<Int>()
    let holder = ValueHolder<Int>(0)

    let observer = notifier.chain().sendTo(holder).end()

    notifier.notify(value: 1)
    #expect(holder.value == 1)
    withExtendedLifetime(observer) {}
  }
}

/// Values in the order of their arrival, taken from the front at no cost.
@usableFromInline struct Fifo<Element> {
  private var elements: [Element?] = []
  private var head = 0

  init() {}

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      elements[head] = nil
      head += 1
      // Half empty: moving the rest costs no more than what was taken.
      if head > 16, head * 2 > elements.count {
        elements.removeFirst(head)
        head = 0
      }
    }
    return elements[head]
  }

  mutating func removeAll() { self = Fifo() }

  func forEach(_ body: (Element) -> Void) {
    for case .some(let element) in elements[head...] { body(element) }
  }
}

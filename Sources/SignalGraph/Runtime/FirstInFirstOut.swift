/// A queue whose front is taken without moving the rest.
struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  private var front = 0

  var count: Int { elements.count - front }
  var isEmpty: Bool { count == 0 }

  /// The elements in their order.
  var all: [Element] { elements[front...].compactMap(\.self) }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard front < elements.count else { return nil }
    let first = elements[front].take()
    front += 1
    if front == elements.count || front > 1024 && front * 2 > elements.count {
      elements.removeFirst(front)
      front = 0
    }
    return first
  }
}

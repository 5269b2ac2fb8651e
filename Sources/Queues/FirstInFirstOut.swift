/// A queue whose front is taken without moving the rest.
package struct FirstInFirstOut<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var front = 0

  @inlinable package init() {}

  @inlinable package var count: Int { elements.count - front }
  @inlinable package var isEmpty: Bool { count == 0 }

  /// The elements in their order.
  @inlinable package var all: [Element] { elements[front...].compactMap { $0 } }

  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard front < elements.count else { return nil }
    let first = elements[front].take()
    front += 1
    if front == elements.count || front > 1024 && front * 2 > elements.count {
      elements.removeFirst(front)
      front = 0
    }
    return first
  }

  /// Removes those for which something holds, wherever they stand.
  @inlinable
  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements.removeFirst(front)
    front = 0
    elements.removeAll { $0.map(isRemoved) ?? true }
  }
}

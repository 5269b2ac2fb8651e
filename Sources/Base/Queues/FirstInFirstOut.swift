/// A queue with constant-time removal at the front.
public struct FirstInFirstOut<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var front = 0

  /// An empty queue.
  @inlinable public init() {}

  /// The number of elements.
  @inlinable public var count: Int { elements.count - front }
  /// True if there are no elements.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// The next element.
  @inlinable public var first: Element? { front < elements.count ? elements[front] : nil }

  /// The elements in their order.
  @inlinable public var all: [Element] { elements[front...].compactMap { $0 } }

  /// The element at an offset from the front.
  @inlinable
  public subscript(offset: Int) -> Element {
    get {
      guard let element = elements[front + offset] else { preconditionFailure("no element at \(offset)") }
      return element
    }
    set {
      precondition(offset >= 0, "no element at \(offset)")
      elements[front + offset] = newValue
    }
  }

  /// Adds an element at the end.
  @inlinable public mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the first element, if there is one.
  @inlinable
  public mutating func popFirst() -> Element? {
    guard front < elements.count else { return nil }
    let first = elements[front].take()
    front += 1
    if front == elements.count || front > 1024 && front * 2 > elements.count {
      elements.removeFirst(front)
      front = 0
    }
    return first
  }

  /// Removes the elements that satisfy a predicate, at any position.
  @inlinable
  public mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements.removeFirst(front)
    front = 0
    elements.removeAll { $0.map(isRemoved) ?? true }
  }
}

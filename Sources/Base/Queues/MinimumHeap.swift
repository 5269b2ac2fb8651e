/// A binary heap of values that removes the least of them.
public struct MinimumHeap<Element: Comparable> {
  @usableFromInline var elements: [Element] = []

  /// An empty heap.
  @inlinable public init() {}

  /// The least element.
  @inlinable public var first: Element? { elements.first }

  /// Inserts an element, also one that is equal to others.
  @inlinable public mutating func insert(_ element: Element) {
    var index = elements.count
    elements.append(element)
    while index > 0, element < elements[(index - 1) / 2] {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the least element; an emptied heap holds no memory.
  @inlinable public mutating func removeFirst() {
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    if elements.isEmpty { return elements = [] }
    var index = 0
    while 2 * index + 1 < elements.count {
      var child = 2 * index + 1
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < elements[index] else { break }
      elements.swapAt(index, child)
      index = child
    }
  }
}

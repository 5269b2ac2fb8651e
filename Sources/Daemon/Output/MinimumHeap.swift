/// A binary heap of values that removes the least of them.
struct MinimumHeap<Element: Comparable> {
  private var elements: [Element] = []

  init() {}

  /// The least element.
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    var index = elements.count
    elements.append(element)
    while index > 0, element < elements[(index - 1) / 2] {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the least element; an emptied heap holds no memory.
  mutating func removeFirst() {
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

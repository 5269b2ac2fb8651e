/// An element that stores its index in the heap, so that it can be removed from the middle.
public protocol HeapElement: AnyObject {
  /// The index; `nil` outside a heap. Only the heap sets it.
  var heapIndex: Int? { get set }

  /// Returns true if it comes before another, as a timer that is due earlier does.
  func isBefore(_ other: Self) -> Bool
}

/// A binary heap from which any element can be removed, and in which any can be moved, such as the timers of a clock.
///
/// It is public, like the whole module: the compiler does not specialise package declarations for their users.
public struct IndexedHeap<Element: HeapElement> {
  @usableFromInline var elements: [Element] = []

  /// An empty heap.
  @inlinable public init() {}

  /// The element that comes before all others.
  @inlinable public var first: Element? { elements.first }

  /// Restores the heap after a change of the order.
  @inlinable
  public mutating func reorder() {
    for index in elements.indices.reversed() { siftDown(index) }
  }

  /// Moves an element whose place in the order has changed.
  @inlinable
  public mutating func move(_ element: Element) {
    guard let index = element.heapIndex else { return }
    siftDown(index)
    siftUp(element.heapIndex ?? index)
  }

  /// Adds an element.
  @inlinable
  public mutating func insert(_ element: Element) {
    element.heapIndex = elements.count
    elements.append(element)
    siftUp(elements.count - 1)
  }

  /// Removes an element, if it is in a heap.
  @inlinable
  public mutating func remove(_ element: Element) {
    guard let index = element.heapIndex else { return }
    element.heapIndex = nil
    let last = elements.removeLast()
    guard index < elements.count else { return }
    place(last, at: index)
    siftDown(index)
    siftUp(index)
  }

  @inlinable
  mutating func place(_ element: Element, at index: Int) {
    elements[index] = element
    element.heapIndex = index
  }

  /// Moves an element up to its place; those that it passes move down one by one.
  @inlinable
  mutating func siftUp(_ start: Int) {
    let element = elements[start]
    var index = start
    while index > 0 {
      let parent = elements[(index - 1) / 2]
      guard element.isBefore(parent) else { break }
      place(parent, at: index)
      index = (index - 1) / 2
    }
    if index != start { place(element, at: index) }
  }

  /// Moves an element down to its place, likewise.
  @inlinable
  mutating func siftDown(_ start: Int) {
    let element = elements[start]
    var index = start
    while 2 * index + 1 < elements.count {
      var child = 2 * index + 1
      if child + 1 < elements.count, elements[child + 1].isBefore(elements[child]) { child += 1 }
      guard elements[child].isBefore(element) else { break }
      place(elements[child], at: index)
      index = child
    }
    if index != start { place(element, at: index) }
  }
}

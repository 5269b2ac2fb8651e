/// An element that stores its index in the heap, so that it can be removed from the middle.
public protocol HeapElement: AnyObject {
  /// The index; `nil` outside a heap. Only the heap sets it.
  var heapIndex: Int? { get set }

  /// The first criterion of the order, lowest first, such as the due time of a timer.
  var heapKey: Int64 { get }

  /// Returns true if it comes before another of the same key.
  func isBefore(_ other: Self) -> Bool
}

/// A heap from which any element can be removed, and in which any can be moved, such as the timers of a clock.
///
/// The keys lie in the heap itself, and four elements have one parent: so an element finds its place with few accesses
/// to others, which are elsewhere in memory.
///
/// It is public, like the whole module: the compiler does not specialise package declarations for their users.
public struct IndexedHeap<Element: HeapElement> {
  @usableFromInline struct Entry {
    @usableFromInline let key: Int64
    @usableFromInline let element: Element

    @inlinable init(_ element: Element) { (key, self.element) = (element.heapKey, element) }
  }

  // Entries change places in a buffer: in an array, references to all of them would be counted.
  @usableFromInline typealias Buffer = UnsafeMutableBufferPointer<Entry>

  @usableFromInline var entries: [Entry] = []

  /// An empty heap.
  @inlinable public init() {}

  /// The element that comes before all others.
  @inlinable public var first: Element? { entries.first?.element }

  /// Restores the heap after a change of the order.
  @inlinable
  public mutating func reorder() {
    for index in entries.indices { entries[index] = Entry(entries[index].element) }
    entries.withUnsafeMutableBufferPointer { entries in
      for index in entries.indices.reversed() { Self.siftDown(index, entries) }
    }
  }

  /// Moves an element whose place in the order has changed.
  @inlinable
  public mutating func move(_ element: Element) {
    guard let index = element.heapIndex else { return }
    entries[index] = Entry(element)
    sift(index)
  }

  /// Adds an element.
  @inlinable
  public mutating func insert(_ element: Element) {
    entries.append(Entry(element))
    sift(entries.count - 1)
  }

  /// Removes an element, if it is in a heap.
  @inlinable
  public mutating func remove(_ element: Element) {
    guard let index = element.heapIndex else { return }
    element.heapIndex = nil
    let last = entries.removeLast()
    guard index < entries.count else { return }
    entries[index] = last
    sift(index)
  }

  /// Moves an entry to its place; those that it passes move one by one.
  @inlinable
  mutating func sift(_ index: Int) {
    entries.withUnsafeMutableBufferPointer { entries in
      if index > 0, Self.isBefore(index, (index - 1) / 4, entries) {
        Self.siftUp(index, entries)
      } else {
        Self.siftDown(index, entries)
      }
    }
  }

  @inlinable
  static func siftUp(_ start: Int, _ entries: Buffer) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 4
      guard isBefore(index, parent, entries) else { break }
      entries.swapAt(index, parent)
      entries[index].element.heapIndex = index
      index = parent
    }
    entries[index].element.heapIndex = index
  }

  @inlinable
  static func siftDown(_ start: Int, _ entries: Buffer) {
    var index = start
    while 4 * index + 1 < entries.count {
      var child = 4 * index + 1
      for other in (child + 1)..<min(child + 4, entries.count) where isBefore(other, child, entries) { child = other }
      guard isBefore(child, index, entries) else { break }
      entries.swapAt(index, child)
      entries[index].element.heapIndex = index
      index = child
    }
    entries[index].element.heapIndex = index
  }

  @inlinable
  static func isBefore(_ index: Int, _ other: Int, _ entries: Buffer) -> Bool {
    let (key, otherKey) = (entries[index].key, entries[other].key)
    return key == otherKey ? entries[index].element.isBefore(entries[other].element) : key < otherKey
  }
}

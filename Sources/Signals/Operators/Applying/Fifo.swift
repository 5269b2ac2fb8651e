/// A queue of values; removing the first takes constant time.
@usableFromInline package struct Fifo<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable package init() {}

  @inlinable init(_ elements: [Element]) { self.elements = elements }

  @inlinable package var isEmpty: Bool { head == elements.count }
  @inlinable package var count: Int { elements.count - head }
  @inlinable var first: Element? { isEmpty ? nil : elements[head] }

  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  @inlinable package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    // The usual case of a pair: without a gap, there is none to clear away.
    if elements.count == 1 { return elements.removeLast() }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 16, head * 2 > elements.count {
      // Half empty: moving the rest costs no more than the removals did.
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  @inlinable package mutating func removeAll() { self = Fifo() }

  /// The elements in their order.
  @inlinable var all: [Element] { elements[head...].compactMap { $0 } }

  @inlinable package func forEach(_ body: (Element) -> Void) {
    for case .some(let element) in elements[head...] { body(element) }
  }
}

extension Fifo: StateCodable where Element: StateCodable {
  package func encode(to writer: inout StateEncoder) { all.encode(to: &writer) }
  package init(from reader: inout StateDecoder) throws(StateError) { self.init(try [Element](from: &reader)) }
}

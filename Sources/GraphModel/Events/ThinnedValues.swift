package import JSON

/// Values in the order of time, thinned: of each interval the last one and, if asked for, the lowest and the highest.
package struct ThinnedValues<Element> {
  private let step: Int64
  private let keepsExtremes: Bool
  private var closed: [Element] = []
  /// The interval that the newest values are in; `nil` before the first one.
  private var interval: Int64?
  private var count = 0
  /// Those of its values that are kept, with their places among its values.
  private var lowest: (place: Int, number: Double, element: Element)?
  private var highest: (place: Int, number: Double, element: Element)?
  private var last: (place: Int, element: Element)?

  /// - Parameter step: The length of an interval in microseconds.
  package init(step: Int64, keepsExtremes: Bool) {
    (self.step, self.keepsExtremes) = (max(1, step), keepsExtremes)
  }

  /// The values that are kept.
  package var elements: [Element] { closed + newest }

  /// - Parameters:
  ///   - time: In microseconds, not before that of the value before.
  ///   - number: The number that is compared, if it is one.
  package mutating func append(_ element: Element, at time: Int64, number: @autoclosure () -> Double?) {
    if interval != time / step { close() }
    interval = time / step
    count += 1
    last = (count, element)
    guard keepsExtremes, let number = number() else { return }
    if lowest.map({ number < $0.number }) ?? true { lowest = (count, number, element) }
    if highest.map({ number > $0.number }) ?? true { highest = (count, number, element) }
  }

  /// Appends something that is always kept, such as an end.
  package mutating func append(apart element: Element) {
    close()
    closed.append(element)
  }

  private var newest: [Element] {
    var kept = [lowest, highest].compactMap { $0.map { (place: $0.place, element: $0.element) } }
    if let last { kept.append(last) }
    kept.sort { $0.place < $1.place }
    return kept.indices.filter { $0 == 0 || kept[$0 - 1].place < kept[$0].place }.map { kept[$0].element }
  }

  /// Begins another interval.
  private mutating func close() {
    closed += newest
    (interval, count, lowest, highest, last) = (nil, 0, nil, nil, nil)
  }
}

extension Payload {
  /// The number that a curve shows: that of a number, 0 and 1 for the booleans, otherwise `nil`.
  package var plotted: Double? {
    if case .raw(let raw) = self, [UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{")].contains(raw.first) {
      return nil
    }
    return switch value.plain {
    case .number(let number): number
    case .bool(let isTrue): isTrue ? 1 : 0
    default: nil
    }
  }
}

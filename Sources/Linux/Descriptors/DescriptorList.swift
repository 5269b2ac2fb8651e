import Glibc

/// Several descriptors with one owner, of which those that nobody takes are closed together.
package struct DescriptorList: ~Copyable, Sendable {
  private var numbers: [Int32]

  /// Takes over descriptors that nothing else closes.
  package init(owning numbers: some Sequence<Int32> = []) { self.numbers = Array(numbers) }

  deinit {
    for number in numbers where number >= 0 { _ = Glibc.close(number) }
  }

  package var count: Int { numbers.count }

  /// Takes over those of another list, behind its own.
  package mutating func append(_ others: consuming DescriptorList) {
    numbers += others.numbers
    others.numbers = []
  }

  /// The number at a place, for calls that borrow it; `nil` if there is none, or if it was taken.
  package borrowing func number(at place: Int) -> Int32? {
    numbers.indices.contains(place) && numbers[place] >= 0 ? numbers[place] : nil
  }

  /// Gives one up to the caller; `nil` if there is none, or if it was taken.
  package mutating func take(at place: Int) -> OwnedDescriptor? {
    guard let number = number(at: place) else { return nil }
    numbers[place] = -1
    return OwnedDescriptor(owning: number)
  }
}

import Glibc

/// A list of owned descriptors; those not taken are closed with it.
package struct DescriptorList: ~Copyable, Sendable {
  private var numbers: [Int32]

  /// Takes ownership of descriptors.
  package init(owning numbers: some Sequence<Int32> = []) { self.numbers = Array(numbers) }

  deinit {
    for number in numbers where number >= 0 { _ = Glibc.close(number) }
  }

  package var count: Int { numbers.count }

  /// Moves the descriptors of another list to the end of this one.
  package mutating func append(_ others: consuming DescriptorList) {
    numbers += others.numbers
    others.numbers = []
  }

  /// Returns the number at an index, to be borrowed; `nil` if there is none or if it was taken.
  package borrowing func number(at place: Int) -> Int32? {
    numbers.indices.contains(place) && numbers[place] >= 0 ? numbers[place] : nil
  }

  /// Transfers ownership of a descriptor to the caller; `nil` if there is none or if it was taken.
  package mutating func take(at place: Int) -> OwnedDescriptor? {
    guard let number = number(at: place) else { return nil }
    numbers[place] = -1
    return OwnedDescriptor(owning: number)
  }
}

/// The memory of the last two values that were made of texts, for the next ones.
///
/// Most values are not held for longer than a turn, or until the next one: a value then takes neither an allocation nor
/// a release.
package struct SpareTexts: ~Copyable {
  private var last: TextStorage?
  private var other: TextStorage?

  /// The size in words above which memory is not reused.
  private static let mostWords = 128

  package init() {}

  /// Copies a text, and reserves space for the members of an outline.
  mutating func make(_ text: Span<UInt8>, members count: Int, traits: Outline.Traits) -> TextStorage {
    let words = TextStorage.words(for: text, members: count)
    if let storage = Self.spare(&last, words) ?? Self.spare(&other, words) {
      storage.replaceText(text, members: count, traits: traits)
      return storage
    }
    let storage = TextStorage.make(text, members: count, traits: traits)
    guard words <= Self.mostWords else { return storage }
    other = last
    last = storage
    return storage
  }

  /// Returns a memory that nothing holds, and that a value of this size may keep occupied.
  private static func spare(_ storage: inout TextStorage?, _ words: Int) -> TextStorage? {
    guard isKnownUniquelyReferenced(&storage), let storage else { return nil }
    let capacity = storage.header.capacity
    return words <= capacity && capacity <= 2 * words ? storage : nil
  }
}

// The memory is used by one value after another.
extension SpareTexts: @unchecked Sendable {}

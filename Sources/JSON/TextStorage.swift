internal import Synchronization

/// One block of memory for a text: what was taken apart of it, the members of its outline, its bytes.
///
/// Each value that is looked into has one, so that a second block for the bytes alone would be felt.
final class TextStorage: ManagedBuffer<TextStorage.Header, UInt64> {
  struct Header {
    let memberCount: Int
    let byteCount: Int
    let traits: Outline.Traits
  }

  /// What was taken apart, by the first of two threads to finish if they do so at once.
  final class Parsed: Sendable {
    let value: JSONValue
    init(_ value: JSONValue) { self.value = value }
  }

  /// Copies a text, and the first so many members of its outline.
  static func make(_ text: Span<UInt8>, _ outline: Outline, members count: Int) -> TextStorage {
    // What was taken apart takes a word, and so does each member. The last word is for those who read eight bytes at once.
    let words = 1 + count + (text.count + 7) / 8 + 1
    let header = Header(memberCount: count, byteCount: text.count, traits: outline.traits)
    let storage = unsafeDowncast(create(minimumCapacity: words) { _ in header }, to: TextStorage.self)
    storage.words.initializeMemory(as: ParsedReference.self, to: ParsedReference())
    for index in 0..<count {
      storage.words.storeBytes(of: outline.members[index], toByteOffset: 8 + 8 * index, as: Outline.Member.self)
    }
    text.withUnsafeBytes { text in
      if let start = text.baseAddress { (storage.words + 8 + 8 * count).copyMemory(from: start, byteCount: text.count) }
    }
    return storage
  }

  deinit { parsed.deinitialize(count: 1) }

  var traits: Outline.Traits { header.traits }

  // The pointers last as long as the storage.

  private typealias ParsedReference = AtomicLazyReference<Parsed>

  private var words: UnsafeMutableRawPointer { withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } }

  private var parsed: UnsafeMutablePointer<ParsedReference> { words.assumingMemoryBound(to: ParsedReference.self) }

  var members: UnsafeBufferPointer<Outline.Member> {
    let start = UnsafeRawPointer(words + 8).assumingMemoryBound(to: Outline.Member.self)
    return UnsafeBufferPointer(start: start, count: header.memberCount)
  }

  var text: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: words + 8 + 8 * header.memberCount, count: header.byteCount)
  }

  /// The value, taken apart when it is first asked for.
  var value: JSONValue {
    if let parsed = parsed.pointee.load() { return parsed.value }
    return parsed.pointee.storeIfNil(Parsed(JSONValue(validated: text.assumingMemoryBound(to: UInt8.self).span))).value
  }
}

extension JSONValue {
  /// The value of a text that is known to be valid.
  fileprivate init(validated text: Span<UInt8>) {
    do {
      self = try JSONParser.value(onThisThread: text, maximumDepth: greatestMaximumDepth)
    } catch {
      preconditionFailure("text taken for valid JSON is not: \(error.message) at \(error.offset)")
    }
  }
}

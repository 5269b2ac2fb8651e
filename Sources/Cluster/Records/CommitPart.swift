internal import StateLog

/// A part of a commit, small enough for one message; most commits have one part.
package struct CommitPart: Equatable, Sendable {
  package var number: UInt64
  package var time: Int64
  /// The number of entries of the whole commit.
  package var count: UInt32
  package var hash: UInt64
  /// The number of this part, from 0.
  package var part: UInt16
  /// True if another part follows.
  package var hasMore: Bool
  package var entries: ArraySlice<UInt8>
  /// The events that the commit caused, as the owner tells them: opaque to this layer.
  package var told: ArraySlice<UInt8>

  /// Returns the parts of a commit: first its entries, then what it told.
  ///
  /// - Parameter size: The maximum of both together in one part.
  static func parts(of commit: Commit, told: [UInt8], size: Int) -> [CommitPart] {
    var parts: [CommitPart] = []
    var (entries, told) = (commit.entries[...], told[...])
    repeat {
      let ofEntries = entries.prefix(size)
      entries = entries.dropFirst(ofEntries.count)
      let ofTold = told.prefix(size - ofEntries.count)
      told = told.dropFirst(ofTold.count)
      parts.append(
        CommitPart(
          number: commit.number, time: commit.time, count: UInt32(commit.count), hash: commit.hash,
          part: UInt16(parts.count), hasMore: !entries.isEmpty || !told.isEmpty, entries: ofEntries, told: ofTold))
    } while !entries.isEmpty || !told.isEmpty
    return parts
  }
}

/// The parts of a commit that have been read so far.
struct CommitAssembly: Equatable {
  private(set) var parts: [CommitPart]

  init(_ first: CommitPart) { parts = [first] }

  /// Returns true if a part is the next one of this commit.
  func precedes(_ part: CommitPart) -> Bool {
    guard let last = parts.last else { return false }
    return last.hasMore && part.part == last.part + 1
      && (part.number, part.time, part.count, part.hash) == (last.number, last.time, last.count, last.hash)
  }

  mutating func add(_ part: CommitPart) { parts.append(part) }

  var commit: Commit? {
    guard let last = parts.last, !last.hasMore else { return nil }
    let entries = parts.count == 1 ? Array(last.entries) : parts.flatMap(\.entries)
    return Commit(number: last.number, time: last.time, count: Int(last.count), entries: entries, hash: last.hash)
  }

  var told: [UInt8] { parts.flatMap(\.told) }
}

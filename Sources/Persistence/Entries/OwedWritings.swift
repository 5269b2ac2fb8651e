import Base
import GraphEngine
import Signals

/// The file writes of durable graphs that may be incomplete.
struct OwedWritings {
  /// The last content of each file that is replaced and never appended to.
  private var contents: [ExactText: [UInt8]] = [:]
  /// The other writes in order: appends, writes below a folder, and replacements of files that are also appended to.
  ///
  /// For the last two, only the latest write is kept.
  private var others: [FileWriting] = []

  init() {}

  init(_ writings: [FileWriting]) {
    for writing in writings { add(writing) }
  }

  mutating func add(_ writing: FileWriting) {
    if case .absolute(let path) = writing.path, !writing.isAppended,
      !others.contains(where: { $0.path == writing.path })
    {
      contents[ExactText(path)] = writing.content
      return
    }
    if !writing.isAppended { others.removeAll { !$0.isAppended && $0.path == writing.path } }
    others.append(writing)
  }

  /// Removes the writes that an entry records as complete.
  mutating func remove(completedBy entry: Entry) {
    switch entry {
    case .appended(let count): removeAppended(count)
    case .replaced(let paths): removeReplaced(Set(paths))
    default: break
    }
  }

  private mutating func removeReplaced(_ paths: Set<FileWriting.Path>) {
    for case .absolute(let path) in paths { contents[ExactText(path)] = nil }
    others.removeAll { !$0.isAppended && paths.contains($0.path) }
  }

  /// Removes the oldest appends.
  private mutating func removeAppended(_ count: UInt64) {
    var rest = count
    others.removeAll { writing in
      guard rest > 0, writing.isAppended else { return false }
      rest -= 1
      return true
    }
  }

  /// All writes in a valid order.
  var all: [FileWriting] {
    contents.sorted { $0.key < $1.key }.map { FileWriting($0.value, to: .absolute($0.key.text)) } + others
  }

  // MARK: Saving

  func encodeContents(to writer: inout StateEncoder) {
    contents.encode(to: &writer)
  }

  mutating func readContents(from reader: inout StateDecoder) throws(StateError) {
    contents = try [ExactText: [UInt8]](from: &reader)
  }

  /// Empty without such writes, as in states of earlier versions.
  func encodeOthers(to writer: inout StateEncoder) {
    if !others.isEmpty { others.encode(to: &writer) }
  }

  mutating func readOthers(from reader: inout StateDecoder) throws(StateError) {
    if !reader.isAtEnd { others = try [FileWriting](from: &reader) }
  }
}

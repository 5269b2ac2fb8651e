import ReactiveCore
import SignalGraph

/// What durable graphs have written to files and is perhaps not there.
struct OwedWritings {
  /// The last content of each file that is replaced, and to which nothing is added.
  private var contents: [String: [UInt8]] = [:]
  /// All others in their order: those that are added to files, those that stand below a folder, and those that replace a
  /// file to which something is added; of the latter two likewise the last one.
  private var others: [FileWriting] = []

  init() {}

  init(_ writings: [FileWriting]) {
    for writing in writings { add(writing) }
  }

  mutating func add(_ writing: FileWriting) {
    if case .absolute(let path) = writing.path, !writing.isAppended,
      !others.contains(where: { $0.path == writing.path })
    {
      contents[path] = writing.content
      return
    }
    if !writing.isAppended { others.removeAll { !$0.isAppended && $0.path == writing.path } }
    others.append(writing)
  }

  /// The oldest of those that are added to files are there.
  mutating func removeAppended(_ count: UInt64) {
    var rest = count
    others.removeAll { writing in
      guard rest > 0, writing.isAppended else { return false }
      rest -= 1
      return true
    }
  }

  /// In an order in which they may be done.
  var all: [FileWriting] {
    contents.sorted { $0.key < $1.key }.map { FileWriting($0.value, to: .absolute($0.key)) } + others
  }

  // MARK: Saving

  func storeContents(in writer: inout StateWriter) {
    writer.count(contents.count)
    for (path, content) in contents.sorted(by: { $0.key < $1.key }) {
      writer.text(path)
      writer.blob(content)
    }
  }

  mutating func readContents(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let path = try reader.text()
      contents[path] = Array(try reader.blob())
    }
  }

  /// Nothing where there are none, as states were before there could be any.
  func storeOthers(in writer: inout StateWriter) {
    if !others.isEmpty { others.store(in: &writer) }
  }

  mutating func readOthers(from reader: inout StateReader) throws(StateError) {
    if !reader.isAtEnd { others = try [FileWriting](from: &reader) }
  }
}

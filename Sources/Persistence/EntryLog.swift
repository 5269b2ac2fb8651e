import ReactiveCore

/// The entries of one commit, as they are being written down.
struct EntryLog: ~Copyable {
  private var writer = StateWriter()
  private var last = EntryTime()
  private(set) var count = 0
  private(set) var valueCount = 0

  var isEmpty: Bool { count == 0 }
  var bytes: [UInt8] { writer.bytes }

  mutating func append(_ entry: Entry, at time: EntryTime) {
    time.store(in: &writer, after: last)
    entry.store(in: &writer)
    last = time
    count += 1
    valueCount += entry.valueCount
  }

  /// Takes note of what an entry has led to, so that it can be told at which one graphs went another way.
  mutating func close(_ hash: RollingHash) { writer.byte(hash.digest) }
}

/// Reads the entries of a commit one by one.
struct EntryReader {
  private var reader: StateReader
  private var last = EntryTime()

  init(_ bytes: [UInt8]) { reader = StateReader(bytes) }

  /// The next entry, if there is one.
  mutating func read() throws(StateError) -> (entry: Entry, time: EntryTime)? {
    guard !reader.isAtEnd else { return nil }
    let time = try EntryTime(from: &reader, after: last)
    last = time
    return (try Entry(from: &reader), time)
  }

  /// The digest of all that the entry which was read last had led to.
  mutating func readDigest() throws(StateError) -> UInt8 { try reader.byte() }

  /// The content of a file that was read while the last entry was worked out.
  mutating func readContent() throws(StateError) -> [UInt8]? {
    guard case .content(let content)? = try read()?.entry else { throw StateError("a file was not read here before") }
    return content
  }
}

import ReactiveCore

/// The entries of one commit, as they are being written down.
///
/// A note says who sends, before the first entry of a client and wherever another one sends. It holds for all entries
/// behind it in the commit that may have a sender, up to the next note; an entry of these that nobody sent, such as a
/// value of another graph, is preceded by a note of nobody. A commit begins with nobody, and so does all of a journal
/// of the first version.
struct EntryLog: ~Copyable {
  private var writer = StateWriter()
  private var last = EntryTime()
  private var sender: EntrySender?
  private(set) var count = 0
  private(set) var valueCount = 0

  var isEmpty: Bool { count == 0 }
  var bytes: [UInt8] { writer.bytes }

  /// - Parameter sender: The client that sent it, if one did.
  mutating func append(_ entry: Entry, at time: EntryTime, from sender: EntrySender? = nil) {
    time.store(in: &writer, after: last)
    if entry.mayHaveSender, sender != self.sender {
      writer.byte(Entry.senderMark)
      sender.store(in: &writer)
      self.sender = sender
    }
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
  private var noted: EntrySender?
  /// The client that sent the entry which was read last, if one did and the journal says it.
  private(set) var sender: EntrySender?

  init(_ bytes: [UInt8]) { reader = StateReader(bytes) }

  /// The next entry, if there is one.
  mutating func read() throws(StateError) -> (entry: Entry, time: EntryTime)? {
    guard !reader.isAtEnd else { return nil }
    let time = try EntryTime(from: &reader, after: last)
    last = time
    var kind = try reader.byte()
    if kind == Entry.senderMark {
      noted = try EntrySender?(from: &reader)
      kind = try reader.byte()
    }
    let entry = try Entry(ofKind: kind, from: &reader)
    sender = entry.mayHaveSender ? noted : nil
    return (entry, time)
  }

  /// The digest of all that the entry which was read last had led to.
  mutating func readDigest() throws(StateError) -> UInt8 { try reader.byte() }

  /// The content of a file that was read while the last entry was worked out.
  mutating func readContent() throws(StateError) -> [UInt8]? {
    guard case .content(let content)? = try read()?.entry else { throw StateError("a file was not read here before") }
    return content
  }
}

import GraphEngine
import Signals

/// The encoded entries of one commit.
///
/// A note identifies the sender before the first entry of a client and wherever the sender changes. It applies to all
/// following entries of the commit that may have a sender, up to the next note; an entry among these without a sender,
/// such as a value of another graph, is preceded by an empty note. A commit begins without a sender, as does all of a
/// log in the first format. A further note, after that, lists the turns of the entry that took too long.
struct EntryLog: ~Copyable {
  private var writer = StateEncoder()
  private var last = EntryTime()
  private var sender: EntrySender?
  /// The offset of the last entry that is not the content of a file.
  private var offset = 0
  private(set) var count = 0
  private(set) var valueCount = 0

  var isEmpty: Bool { count == 0 }
  var bytes: [UInt8] { writer.bytes }

  /// - Parameter sender: The client that sent it, if any.
  mutating func append(_ entry: Entry, at time: EntryTime, from sender: EntrySender? = nil) {
    time.encode(to: &writer, after: last)
    if entry.mayHaveSender, sender != self.sender {
      writer.byte(Entry.senderMark)
      sender.encode(to: &writer)
      self.sender = sender
    }
    if case .content = entry {} else { offset = writer.bytes.count }
    entry.encode(to: &writer)
    last = time
    count += 1
    valueCount += entry.valueCount
  }

  /// Closes the last entry with a digest of its effects, so that a replay can locate the first divergence.
  ///
  /// - Parameter cuts: The turns that took too long, which a replay has to end at the same place.
  mutating func close(_ hash: RollingHash, cuts: [TurnCut]) {
    if !cuts.isEmpty {
      var note = StateEncoder()
      note.byte(Entry.cutMark)
      cuts.encode(to: &note)
      writer.insert(note.bytes, at: offset)
    }
    writer.byte(hash.digest)
  }
}

/// Reads the entries of a commit one by one.
struct EntryReader {
  private let bytes: [UInt8]
  private var reader: StateDecoder
  private var last = EntryTime()
  private var noted: EntrySender?
  /// The client that sent the last entry, if there was one and the log records it.
  private(set) var sender: EntrySender?
  /// The turns of the last entry that took too long.
  private(set) var cuts: [TurnCut] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    reader = StateDecoder(bytes)
  }

  /// Skips values for signals that are not wanted, up to the next other entry, or where the civil clock was set.
  ///
  /// - Parameter wanted: Selects signals by their index; unknown ones are wanted.
  /// - Returns: The number of skipped entries, and the time of the last one.
  mutating func skipValues(unless wanted: [Bool]) -> (count: Int, time: EntryTime) {
    var values = ValueSkimmer(reader.place, after: last)
    let count = values.skip(in: bytes.span, unless: wanted)
    (reader.place, last) = (values.place, values.time)
    return (count, last)
  }

  /// Returns the next entry, if any.
  mutating func read() throws(StateError) -> (entry: Entry, time: EntryTime)? {
    guard !reader.isAtEnd else { return nil }
    let time = try EntryTime(from: &reader, after: last)
    last = time
    var kind = try reader.byte()
    if kind == Entry.senderMark {
      noted = try EntrySender?(from: &reader)
      kind = try reader.byte()
    }
    if !cuts.isEmpty { cuts = [] }
    if kind == Entry.cutMark {
      cuts = try [TurnCut](from: &reader)
      kind = try reader.byte()
    }
    let entry = try Entry(ofKind: kind, from: &reader)
    sender = entry.mayHaveSender ? noted : nil
    return (entry, time)
  }

  /// Returns the digest of the last entry's effects.
  mutating func readDigest() throws(StateError) -> UInt8 { try reader.byte() }

  /// Returns the content of a file that was read while the last entry was performed.
  mutating func readContent() throws(StateError) -> [UInt8]? {
    guard case .content(let content)? = try read()?.entry else { throw StateError("missing content of a file") }
    return content
  }
}

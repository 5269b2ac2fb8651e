import Linux

/// The mark next to a write-ahead log: the end of the log.
///
/// SQLite treats the first invalid frame as the end of its log, and a missing log as an empty one. Without a record
/// outside the log, damage there would be indistinguishable from a shorter log.
///
/// The file has two slots, written alternately, so that an interrupted write preserves the previous mark.
struct LogMark: Equatable {
  /// The last commit up to some point, or a snapshot in its place.
  struct Place: Equatable {
    var number: UInt64 = 0
    /// The rolling hash at its end, which identifies the history.
    var hash: UInt64 = 0
    /// The time, in microseconds since 1970.
    var time: Int64 = 0

    init() {}

    init(_ commit: Commit) { (number, hash, time) = (commit.number, commit.hash, commit.time) }

    init(_ snapshot: Snapshot) { (number, hash, time) = (snapshot.number, snapshot.hash, snapshot.time) }

    init(number: UInt64, hash: UInt64, time: Int64) { (self.number, self.hash, self.time) = (number, hash, time) }
  }

  /// The written and the synced end of the log.
  struct Reach: Equatable {
    var written = Place()
    var synced = Place()
    /// The newest snapshot, which is always synced.
    var snapshot: UInt64?
  }

  var reach: Reach
  /// The number of earlier marks: of two, the higher one is valid.
  var count: UInt64 = 0
  /// The boot ID at the time of writing.
  var boot: UInt64
  /// The identity of the mark file, which differs in a copy.
  var file: FileBirth

  /// Returns the last commit that must exist: the written one during the same boot, else the synced one.
  func floor(on boot: UInt64) -> Place { boot != 0 && boot == self.boot ? reach.written : reach.synced }

  /// The current boot ID; 0 if unknown.
  static let boot: UInt64 = {
    guard let text = try? RegularFile.read("/proc/sys/kernel/random/boot_id", limit: 64), !text.isEmpty else {
      return 0
    }
    var checksum = Checksum()
    checksum.add(text)
    return UInt64(bitPattern: checksum.value)
  }()
}

// MARK: Bytes

extension LogMark {
  /// The unit that a disk writes atomically.
  static let slotSize = 512
  static let fileSize = 2 * slotSize

  /// The offset of its slot in the file.
  var offset: Int { Int(count % 2) * Self.slotSize }

  /// "sbmark" and the format version.
  private static let head: UInt64 = 0x7362_6d61_726b_0001

  private var fields: [UInt64] {
    func fields(of place: Place) -> [UInt64] { [place.number, place.hash, UInt64(bitPattern: place.time)] }
    return [Self.head, count, boot, file.inode, UInt64(bitPattern: file.instant)]
      + fields(of: reach.written) + fields(of: reach.synced) + [reach.snapshot == nil ? 0 : 1, reach.snapshot ?? 0]
  }

  private static func checksum(of fields: some Sequence<UInt64>) -> UInt64 {
    var checksum = Checksum()
    for field in fields { checksum.add(field) }
    return UInt64(bitPattern: checksum.value)
  }

  /// The content of its slot.
  var bytes: [UInt8] {
    let fields = fields
    let bytes = (fields + [Self.checksum(of: fields)]).flatMap { field in
      withUnsafeBytes(of: field.littleEndian) { Array($0) }
    }
    return bytes + [UInt8](repeating: 0, count: Self.slotSize - bytes.count)
  }

  /// Reads a slot; `nil` if it is invalid.
  private init?(slot: ArraySlice<UInt8>) {
    let count = 14
    guard slot.count == Self.slotSize else { return nil }
    let fields = slot.withUnsafeBytes { bytes in
      (0..<count).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
    let isWhole = fields[0] == Self.head && Self.checksum(of: fields.dropLast()) == fields[count - 1]
    guard isWhole, slot.dropFirst(count * 8).allSatisfy({ $0 == 0 }) else { return nil }
    func place(at index: Int) -> Place {
      Place(number: fields[index], hash: fields[index + 1], time: Int64(bitPattern: fields[index + 2]))
    }
    reach = Reach(written: place(at: 5), synced: place(at: 8), snapshot: fields[11] == 1 ? fields[12] : nil)
    (self.count, boot) = (fields[1], fields[2])
    file = FileBirth(inode: fields[3], instant: Int64(bitPattern: fields[4]))
  }

  /// Reads the last valid mark in a file.
  init?(file bytes: [UInt8]) {
    guard bytes.count == Self.fileSize else { return nil }
    let marks = [bytes.prefix(Self.slotSize), bytes.suffix(Self.slotSize)].compactMap { LogMark(slot: $0) }
    guard let last = marks.max(by: { $0.count < $1.count }) else { return nil }
    self = last
  }
}

import CSystemd
import Glibc

/// A file that is read to its end repeatedly.
///
/// Each read overlaps the previous one and compares: a file that was truncated and has since outgrown the position is
/// not mistaken for one that has grown.
final class TailedFile {
  /// The overlap in bytes.
  private static let overlap = 64
  /// `SEEK_DATA`, which Glibc declares only with `_GNU_SOURCE`.
  private static let seekData: Int32 = 3
  /// The maximum distance, in bytes, to look back for the beginning of a run of NUL bytes.
  private static let holeSearch: Int64 = 1 << 20

  let identity: FileIdentity
  private let descriptor: OwnedDescriptor
  private var offset: Int64 = 0
  private var ends = ReadEnds()
  private var leading = LeadingNULs()
  /// The modification time at the last look.
  private var modified = timespec()
  /// True for UTF-16 text, which is skipped.
  private var isForeign = false
  /// The start of the time without a name and without growth.
  private var removedSince: MonotonicInstant?

  private init(_ descriptor: consuming OwnedDescriptor, _ status: stat) {
    self.descriptor = descriptor
    identity = FileIdentity(status)
  }

  /// Opens a regular file; `nil` if there is none.
  static func open(_ path: String) throws(FileError) -> TailedFile? {
    let number = retryingInterrupts { Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
    if number == -1 {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system(.last("open", path))
    }
    let descriptor = OwnedDescriptor(owning: number)
    var status = stat()
    if fstat(number, &status) == -1 { throw .system(.last("fstat", path)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
    return TailedFile(descriptor, status)
  }

  var place: FileTail.Place {
    FileTail.Place(
      device: identity.device, inode: identity.inode, offset: offset,
      fingerprint: offset > 0 ? ends.fingerprint : nil)
  }

  var isEmpty: Bool { size == 0 }

  /// In bytes.
  var size: Int64 { status.map { Int64($0.st_size) } ?? 0 }

  /// The modification time.
  var lastWritten: timespec? { status?.st_mtim }

  private var status: stat? {
    var status = stat()
    return fstat(descriptor.number, &status) == 0 ? status : nil
  }

  // MARK: Positions

  /// Skips to an offset.
  func skip(to offset: Int64) {
    move(to: offset)
    leading = LeadingNULs(isInLine: isInLineOnDisk)
  }

  private func move(to offset: Int64) {
    self.offset = offset
    ends = endsOnDisk
    isForeign = Self.isForeign(bytes(2, at: 0))
    modified = status?.st_mtim ?? timespec()
  }

  /// Resumes at a place if the file still has the content read before it.
  func resume(at place: FileTail.Place) -> Bool {
    guard size >= place.offset else { return false }
    skip(to: place.offset)
    if place.fingerprint == nil || place.fingerprint == ends.fingerprint { return true }
    skip(to: 0)
    return false
  }

  /// Reads the current ends of the part before the offset.
  private var endsOnDisk: ReadEnds {
    let count = min(Int(clamping: offset), ContentFingerprint.span)
    return ReadEnds(head: bytes(count, at: 0)[...], last: bytes(count, at: offset - Int64(count))[...])
  }

  /// True if the byte before the offset belongs to an unfinished line; NUL bytes before a line do not.
  ///
  /// More NUL bytes than the distance are taken for a hole before a line.
  private var isInLineOnDisk: Bool {
    let start = max(0, offset - Self.holeSearch)
    var (end, found) = (offset, ends.last)
    while true {
      if let last = found.last(where: { $0 != 0 }) { return last != UInt8(ascii: "\n") }
      end -= Int64(found.count)
      if found.isEmpty || end <= start { return false }
      let count = min(Int(end - start), 64 * 1024)
      found = bytes(count, at: end - Int64(count))
    }
  }

  // MARK: Reading

  /// Reads a portion; returns false at the end or on an error.
  func read(upTo count: Int, _ receive: (FileTail.Event) -> Void) -> Bool {
    guard let status else { return false }
    let size = Int64(status.st_size)
    if size < offset {
      beginAgain(.truncated, receive)
    } else if size == offset, modified != status.st_mtim, ends.fingerprint != endsOnDisk.fingerprint {
      beginAgain(.rewritten, receive)
    }
    modified = status.st_mtim
    if isForeign { return passOver(to: size, receive) }
    let overlap = min(Int(clamping: offset), Self.overlap)
    let found = bytes(overlap + count, at: offset - Int64(overlap))
    if found.isEmpty { return false }
    guard found.count >= overlap, found.prefix(overlap) == ends.last.suffix(overlap) else {
      beginAgain(.rewritten, receive)
      return true
    }
    guard let mark = offset == 0 ? mark(of: found) : 0 else { return false }
    let new = found.dropFirst(overlap)
    if new.isEmpty { return false }
    removedSince = nil
    offset += Int64(new.count)
    ends.append(new)
    if isForeign {
      receive(.appended(new.prefix(2) + [UInt8(ascii: "\n")]))
      return passOver(to: size, receive)
    }
    deliver(new.dropFirst(mark), size, receive)
    receive(.reached(place))
    return true
  }

  /// Delivers bytes that were read, without the NUL bytes that lines begin with.
  private func deliver(_ new: ArraySlice<UInt8>, _ size: Int64, _ receive: (FileTail.Event) -> Void) {
    if new.isEmpty { return }
    let (text, skipped) = leading.filter(new)
    if skipped > 0 { receive(.skipped(skipped)) }
    if text.isEmpty { return passHole(to: size) }
    receive(.appended(Array(text)))
  }

  /// Skips the rest of a hole, whose blocks are not stored, without reading it.
  private func passHole(to size: Int64) {
    let found = Int64(lseek(descriptor.number, off_t(offset), Self.seekData))
    if found == -1, errno != ENXIO { return }
    let next = found == -1 ? size : found
    guard next > offset else { return }
    leading.pass(next - offset)
    move(to: next)
  }

  private func bytes(_ count: Int, at offset: Int64) -> [UInt8] {
    // The storage of all empty arrays is one global, into which the initialiser would write.
    if count == 0 { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = max(0, pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset)))
    }
  }

  private func beginAgain(_ reason: TailLoss.Reason, _ receive: (FileTail.Event) -> Void) {
    receive(.lost(TailLoss(reason: reason, offset: offset, unfinished: ends.unfinished)))
    offset = 0
    ends = ReadEnds()
    leading = LeadingNULs()
    isForeign = false
    receive(.truncated)
    receive(.reached(place))
  }

  // MARK: Byte order marks

  /// Returns the length of a byte order mark, which belongs to no line; `nil` while it is incomplete.
  ///
  /// A UTF-16 mark makes the file foreign: it is delivered as a line, so that decoding rejects it with a reason.
  private func mark(of beginning: [UInt8]) -> Int? {
    isForeign = Self.isForeign(beginning)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if beginning.starts(with: mark) { return mark.count }
    let mayBecomeOne = mark.starts(with: beginning) || beginning == [0xFF] || beginning == [0xFE]
    return mayBecomeOne ? nil : 0
  }

  private static func isForeign(_ beginning: [UInt8]) -> Bool {
    beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF])
  }

  private func passOver(to size: Int64, _ receive: (FileTail.Event) -> Void) -> Bool {
    if size > offset {
      skip(to: size)
      receive(.reached(place))
    }
    return false
  }

  // MARK: Removal

  /// The time that a removed file is kept open without growth: its writer may still have it open.
  static let patience = Duration.seconds(5)

  /// Detects a removed file without growth for some time after it was read to its end.
  func isAbandoned(at now: MonotonicInstant) -> Bool {
    guard isRemoved else {
      removedSince = nil
      return false
    }
    let since = removedSince ?? now
    removedSince = since
    return now - since >= Self.patience
  }

  /// True for a removed file.
  ///
  /// An overlay file system reports a link count above 0 for a removed file of a lower layer.
  var isRemoved: Bool {
    guard let status else { return false }
    if status.st_nlink == 0 { return true }
    var system = statfs()
    guard fstatfs(descriptor.number, &system) == 0, system.f_type == 0x794c_7630 else { return false }
    return FileTrail.target(of: "/proc/self/fd/\(descriptor.number)")?.hasSuffix(" (deleted)") == true
  }
}

extension timespec {
  fileprivate static func != (left: timespec, right: timespec) -> Bool {
    left.tv_sec != right.tv_sec || left.tv_nsec != right.tv_nsec
  }
}

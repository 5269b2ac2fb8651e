import Glibc

/// Follows the end of a file by its path, through rotation and truncation.
///
/// It never waits. A file that another has replaced is read until there is something in the new one: whoever writes may
/// still have the old one open.
package final class FileTail {
  package enum Event: Equatable, Sendable {
    case appended([UInt8])
    /// Nothing more comes of the file that was there before.
    case rotated
    /// The file was cut short and begins anew.
    case truncated
  }

  /// How many portions are read at a time.
  private static let portions = 16

  private let path: String
  private var current: TailedFile?
  /// What was at the path before.
  private var previous: TailedFile?

  package init(_ path: String) { self.path = path }

  /// Begins at the end of the file that is there now, if one is.
  package func start() throws(FileError) {
    current = try TailedFile.open(path)
    do throws(Errno) { try current?.skipToEnd() } catch { throw .system(error) }
  }

  /// Reads what has been appended since the last time.
  ///
  /// - Returns: whether there may be more; others may have their turn before it is called again.
  package func read(_ receive: (Event) -> Void) throws(FileError) -> Bool {
    var left = Self.portions
    if previous == nil { try lookForAnother(receive) }
    do throws(Errno) {
      if let previous {
        try previous.read(&left, receive)
        if left == 0 { return true }
        guard try current?.isEmpty == false else { return false }
        self.previous = nil
        receive(.rotated)
      }
      try current?.read(&left, receive)
    } catch {
      throw .system(error)
    }
    return left == 0
  }

  /// Takes over the file that is at the path, where it is another than before.
  private func lookForAnother(_ receive: (Event) -> Void) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0, current?.identity != FileIdentity(status) else { return }
    guard let next = try TailedFile.open(path) else { return }
    previous = current
    current = next
  }
}

/// A file that is read to its end, again and again.
private final class TailedFile {
  private static let portion = 65_536

  let identity: FileIdentity
  private let descriptor: OwnedDescriptor
  private var offset: Int64 = 0

  private init(_ descriptor: consuming OwnedDescriptor, _ status: stat) {
    self.descriptor = descriptor
    identity = FileIdentity(status)
  }

  /// A regular file; `nil` where there is none.
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

  func skipToEnd() throws(Errno) {
    offset = Int64(lseek(descriptor.number, 0, SEEK_END))
    if offset == -1 { throw .last("lseek") }
  }

  var isEmpty: Bool { get throws(Errno) { try size() == 0 } }

  /// Reads to the end, at most so many portions.
  func read(_ left: inout Int, _ receive: (FileTail.Event) -> Void) throws(Errno) {
    if try size() < offset {
      offset = 0
      if lseek(descriptor.number, 0, SEEK_SET) == -1 { throw .last("lseek") }
      receive(.truncated)
    }
    while left > 0, let bytes = try descriptor.transfer.read(upTo: Self.portion), !bytes.isEmpty {
      offset += Int64(bytes.count)
      left -= 1
      receive(.appended(bytes))
    }
  }

  private func size() throws(Errno) -> Int64 {
    var status = stat()
    if fstat(descriptor.number, &status) == -1 { throw .last("fstat") }
    return Int64(status.st_size)
  }
}

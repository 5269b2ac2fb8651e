import Glibc

/// Follows the end of a file by its path, through rotation and truncation.
///
/// It never blocks. A replaced file is read until its successor has content: the writer may still have the old one
/// open. A removed file is closed after some seconds without growth.
package final class FileTail {
  package enum Event: Equatable, Sendable {
    case appended([UInt8])
    /// The previous file is complete.
    case rotated
    /// The last data is not continued: the file restarts, or another one begins.
    case truncated
    /// Lines may be lost; the next event is `truncated`.
    case lost(TailLoss)
    /// A hole of this many NUL bytes before a line was skipped.
    case skipped(Int64)
    /// All previous events cover the file up to this place.
    case reached(Place)
  }

  /// A read position in a file.
  package struct Place: Equatable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    package let offset: Int64
    /// The fingerprint of the content before the offset, if known.
    package let fingerprint: ContentFingerprint?

    package init(device: UInt64, inode: UInt64, offset: Int64, fingerprint: ContentFingerprint? = nil) {
      self.device = device
      self.inode = inode
      self.offset = offset
      self.fingerprint = fingerprint
    }
  }

  /// The start position.
  package enum Start: Equatable, Sendable {
    /// At the end of the current file.
    case end
    /// The beginning.
    case beginning
    /// At an earlier read position, even if the file was renamed within its folder.
    case place(Place)
  }

  /// The maximum number of old files kept open while their successors are empty.
  private static let greatestPast = 8

  private let path: String
  /// Files not read to their end, or possibly still written to; the last one is at the path.
  private var files: [TailedFile] = []
  private var closed = KnownPlaces()
  /// The file at the path at the start if it could not be opened; its content up to then is skipped later.
  private var unread: (identity: FileIdentity, size: Int64)?
  /// True until the start position has been reported.
  private var isNew = true
  /// The loss of earlier content, until it has been reported.
  private var lost: TailLoss?
  /// True if the last file is no longer at the path.
  private var isAway = false
  /// The reason for failing to read the current file.
  package private(set) var fault: FileError?

  /// True if files are open that are not at the path: only polling detects their growth.
  package var hasPast: Bool { files.count > 1 || isAway && !files.isEmpty }

  package init(_ path: String) { self.path = path }

  /// Starts following; called once.
  package func start(from start: Start = .end) {
    switch start {
    case .place(let place): return resume(place)
    case .end:
      var status = stat()
      if stat(path, &status) == 0 { unread = (FileIdentity(status), Int64(status.st_size)) }
    case .beginning: break
    }
    lookForAnother()
  }

  /// Resumes at a position without losing appended data, unless the file is gone: then the one at the path is read from
  /// its beginning.
  private func resume(_ place: Place) {
    if let file = open(place, path) {
      files.append(file)
    } else {
      let rotation = RotatedFiles(of: path)
      if let file = rotation.paths.lazy.compactMap({ self.open(place, $0) }).first {
        files.append(file)
        for path in rotation.successors(of: file).prefix(Self.greatestPast) { _ = try? take(path) }
      } else {
        lost = TailLoss(reason: .gone, offset: place.offset, unfinished: nil)
      }
    }
    lookForAnother()
  }

  /// Opens the file at a path if it is the one read before.
  private func open(_ place: Place, _ path: String) -> TailedFile? {
    var status = stat()
    guard stat(path, &status) == 0, FileIdentity(status).isOf(place) else { return nil }
    guard let file = try? TailedFile.open(path), file.identity.isOf(place) else { return nil }
    return file.resume(at: place) ? file : nil
  }

  /// Reads a portion of the data appended since the last call.
  ///
  /// - Parameters:
  ///   - count: The maximum number of bytes.
  ///   - departures: The current paths of files renamed away since the last call, in order.
  /// - Returns: True if there may be more.
  package func read(
    upTo count: Int, departures: [String] = [], at now: MonotonicInstant = .now(), _ receive: (Event) -> Void
  ) -> Bool {
    for path in departures { _ = try? take(path) }
    lookForAnother()
    if let lost {
      self.lost = nil
      receive(.lost(lost))
      receive(.truncated)
    }
    if isNew, let file = files.first {
      isNew = false
      receive(.reached(file.place))
    }
    while let file = files.first {
      if file.read(upTo: count, receive) { return true }
      let later = files.dropFirst()
      let isOver = later.count > Self.greatestPast || later.contains { !$0.isEmpty } || file.isAbandoned(at: now)
      guard isOver else { return false }
      closed.add(files.removeFirst())
      receive(.rotated)
    }
    return false
  }

  /// Opens the file at the path if it differs from the last one.
  private func lookForAnother() {
    var status = stat()
    isAway = stat(path, &status) != 0 || files.last?.identity != FileIdentity(status)
    if !isAway {
      fault = nil
      return
    }
    do throws(FileError) {
      fault = nil
      try take(path)
    } catch {
      fault = error
    }
  }

  private func take(_ path: String) throws(FileError) {
    guard let file = try TailedFile.open(path) else { return }
    // Files in between are read first when a link leads back to an earlier file.
    if files.contains(where: { $0.identity == file.identity }) { return }
    if let unread, unread.identity == file.identity { file.skip(to: min(unread.size, file.size)) }
    unread = nil
    _ = closed.resume(file)
    files.append(file)
    isAway = false
  }
}

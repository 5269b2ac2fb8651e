import Glibc

/// Follows the end of a file by its path, through rotation and truncation.
///
/// It never waits. A file that another has replaced is read until there is something in a later one: the writer may
/// still have the old one open.
package final class FileTail {
  package enum Event: Equatable, Sendable {
    case appended([UInt8])
    /// Nothing more comes of the file that was there before.
    case rotated
    /// The file was cut short and begins anew.
    case truncated
    /// All that was told so far reaches to here.
    case reached(Place)
  }

  /// How far a file was read.
  package struct Place: Equatable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    package let offset: Int64

    package init(device: UInt64, inode: UInt64, offset: Int64) {
      self.device = device
      self.inode = inode
      self.offset = offset
    }
  }

  /// Where to begin.
  package enum Start: Equatable, Sendable {
    /// At the end of the file that is there.
    case end
    /// At its beginning.
    case beginning
    /// Where a file was read up to, wherever that stands in its folder by now.
    case place(Place)
  }

  /// The most files that are kept open while all their successors are empty.
  private static let greatestPast = 8

  private let path: String
  /// Files that are not read to their end yet, or may still be written to; the last one is at the path.
  private var files: [TailedFile] = []
  /// The file at the path at the start, if it could not be opened then: its length is passed over later.
  private var unread: (identity: FileIdentity, size: Int64)?
  /// Whether it is yet to be told where it begins.
  private var isNew = true
  /// Whether the file that was read before is gone.
  private var hasLostPast = false
  /// The reason why the file that is at the path now cannot be read.
  package private(set) var fault: FileError?

  package init(_ path: String) { self.path = path }

  /// Begins to follow; to be called once.
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

  /// Nothing that was appended meanwhile is lost, unless the file is gone: then the one at the path is read from its
  /// beginning.
  private func resume(_ place: Place) {
    if !take(place, path) {
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      let names = (try? FolderListing.names(in: folder)) ?? []
      hasLostPast = !names.contains { take(place, "\(folder)/\($0)") }
    }
    lookForAnother()
  }

  /// Takes over the file that was read before, if it is this one.
  private func take(_ place: Place, _ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, FileIdentity(status).isOf(place) else { return false }
    guard let file = try? TailedFile.open(path), file.identity.isOf(place) else { return false }
    file.skip(to: place.offset)
    files.append(file)
    return true
  }

  /// Reads a piece of what has been appended since the last time.
  ///
  /// - Parameters:
  ///   - count: The most bytes that it may have.
  ///   - departures: The present paths of files that stood at the path since the last time, in their order.
  /// - Returns: whether there may be more.
  package func read(upTo count: Int, departures: [String] = [], _ receive: (Event) -> Void) -> Bool {
    for path in departures { _ = try? take(path) }
    lookForAnother()
    if hasLostPast {
      hasLostPast = false
      receive(.rotated)
    }
    if isNew, let file = files.first {
      isNew = false
      receive(.reached(file.place))
    }
    while let file = files.first {
      if file.read(upTo: count, receive) { return true }
      let later = files.dropFirst()
      guard later.count > Self.greatestPast || later.contains(where: { !$0.isEmpty }) else { return false }
      files.removeFirst()
      receive(.rotated)
    }
    return false
  }

  /// Takes over the file that is at the path, where it is another than before.
  private func lookForAnother() {
    var status = stat()
    if stat(path, &status) == 0, files.last?.identity == FileIdentity(status) {
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
    guard let file = try TailedFile.open(path), !files.contains(where: { $0.identity == file.identity }) else { return }
    if let unread, unread.identity == file.identity { file.skip(to: unread.size) }
    unread = nil
    files.append(file)
  }
}

extension FileIdentity {
  fileprivate func isOf(_ place: FileTail.Place) -> Bool { device == place.device && inode == place.inode }
}

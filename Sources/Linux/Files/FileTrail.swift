import Base
import CSystemd
import Glibc

/// The resolution of a path as inotify watches: each folder, each link, and the file itself.
///
/// A folder on the way matters only if it disappears itself. It may not report that while a removed file of it is open
/// here, so its parent is watched for removals. All events of a name matter where a component is missing, a link, or in
/// an unwatchable folder, and at the last component.
struct FileTrail: Equatable {
  /// The maximum number of links, as in the kernel.
  private static let greatestLinks = 40

  /// The relevant names in each watched folder.
  private(set) var names: [Int32: Set<ExactText>] = [:]
  /// The watch on the file, if it is regular and readable.
  private(set) var file: Int32?
  /// The file at the path.
  private(set) var identity: FileIdentity?
  private(set) var isEmpty = false
  /// The folder of the last component, links resolved, and the name in it.
  private(set) var end: End?
  /// The reason for possibly missing changes.
  private(set) var fault: Errno?

  struct End: Equatable {
    let watch: Int32?
    let folder: String
    let name: String
  }

  var watches: [Int32] { names.keys + (file.map { [$0] } ?? []) }

  /// Indicates that the entry of an event is on the way.
  func concerns(_ event: InotifyEvents.Event) -> Bool {
    event.name.map { names[event.watch]?.contains($0) == true } ?? false
  }

  /// Creates a trail without watches.
  init() {}

  /// Adds watches along the current resolution of a path.
  ///
  /// A change may occur between a lookup and its watch: only the second of two equal results is reliable.
  ///
  /// - Parameter isPattern: True if the last component matches many files; then their folder is watched.
  init(to path: String, in inotify: Int32, isPattern: Bool = false) {
    var rest = Self.parts(of: path)
    var folder = ""
    var links = 0
    while let part = rest.popLast() {
      if isPattern, rest.isEmpty {
        watchAll(of: folder, as: part, in: inotify)
        return
      }
      let next = "\(folder)/\(part)"
      var status = stat()
      let mode = lstat(next, &status) == 0 ? status.st_mode & S_IFMT : 0
      if mode == S_IFDIR && !rest.isEmpty {
        let isWatched = watch(folder: next, in: inotify)
        _ = watch(part, of: folder, for: isWatched ? Self.removals : Self.entries, in: inotify)
        folder = next
        continue
      }
      let entry = watch(part, of: folder, in: inotify)
      if mode == S_IFLNK, links < Self.greatestLinks, let target = Self.target(of: next) {
        links += 1
        if target.hasPrefix("/") { folder = "" }
        rest += Self.parts(of: target)
        continue
      }
      if rest.isEmpty { self.end(at: next, End(watch: entry, folder: folder, name: part), status, mode, inotify) }
      return
    }
  }

  // MARK: Watches

  private static let content = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
  private static let folderItself = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let removals = folderItself | UInt32(IN_DELETE)
  private static let entries = folderItself | UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

  private mutating func end(at path: String, _ end: End, _ status: stat, _ mode: UInt32, _ inotify: Int32) {
    self.end = end
    guard mode != 0 else { return }
    identity = FileIdentity(status)
    guard mode == S_IFREG else { return }
    isEmpty = status.st_size == 0
    // An unreadable file is retried when its folder reports a change of its mode.
    file = add(path, Self.content | UInt32(IN_DONT_FOLLOW), in: inotify, mayBeForbidden: true)
  }

  /// Watches all entries of a folder.
  private mutating func watchAll(of folder: String, as pattern: String, in inotify: Int32) {
    let number = add(folder.isEmpty ? "/" : folder, Self.entries | UInt32(IN_MODIFY), in: inotify)
    if let number { names[number, default: []].formUnion([]) }
    end = End(watch: number, folder: folder, name: pattern)
  }

  /// Watches a folder on the way; returns false on failure.
  private mutating func watch(folder: String, in inotify: Int32) -> Bool {
    guard let number = add(folder, Self.folderItself, in: inotify, mayBeForbidden: true) else { return false }
    names[number, default: []].formUnion([])
    return true
  }

  /// Watches a folder for events of a name in it.
  private mutating func watch(
    _ name: String, of folder: String, for events: UInt32 = Self.entries, in inotify: Int32
  ) -> Int32? {
    let isNeeded = events == Self.entries
    guard let number = add(folder.isEmpty ? "/" : folder, events, in: inotify, mayBeForbidden: !isNeeded) else {
      return nil
    }
    names[number, default: []].insert(ExactText(name))
    return number
  }

  /// Adds to the watched events of a file or folder, which other paths may share.
  private mutating func add(
    _ path: String, _ mask: UInt32, in inotify: Int32, mayBeForbidden: Bool = false
  ) -> Int32? {
    let number = inotify_add_watch(inotify, path, mask | UInt32(IN_MASK_ADD))
    if number != -1 { return number }
    let isExpected = errno == ENOENT || errno == ENOTDIR || errno == EACCES && mayBeForbidden
    if !isExpected { fault = fault ?? .last("inotify_add_watch", path) }
    return nil
  }

  // MARK: Paths

  /// Returns the components of a path in reverse order.
  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  /// Returns the target of a link as stored.
  static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}

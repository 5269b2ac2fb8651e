import CSystemd
import Glibc

/// The way to the file that a path stands for, as inotify's watches: each folder, each link, and the file itself.
///
/// A folder on the way matters only if it goes away itself. Names matter where something is missing,
/// where a link stands, where a folder cannot be watched, and at the end.
struct FileTrail: Equatable {
  /// The number of links that are followed, as in the kernel.
  private static let greatestLinks = 40

  /// By watch of a folder, the names in it that matter.
  private(set) var names: [Int32: Set<String>] = [:]
  /// The watch on the file, where there is a regular one that can be read.
  private(set) var file: Int32?
  /// The file at the path.
  private(set) var identity: FileIdentity?
  /// Whether nothing is in the file.
  private(set) var isEmpty = false
  /// The folder in which the path ends, links followed, and the name there.
  private(set) var end: End?
  /// The reason why a change may go unnoticed.
  private(set) var fault: Errno?

  struct End: Equatable {
    let watch: Int32?
    let folder: String
    let name: String
  }

  var watches: [Int32] { names.keys + (file.map { [$0] } ?? []) }

  /// Watches nothing.
  init() {}

  /// Puts watches along the way as it is now.
  ///
  /// Something may change between a look and the watch that is to report it: only the second of two equal looks is
  /// sure.
  ///
  /// - Parameter isPattern: Whether the last part of the path stands for many files: then their folder is watched.
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
        if !watch(folder: next, in: inotify) { _ = watch(part, of: folder, in: inotify) }
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
  private static let entries = folderItself | UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

  private mutating func end(at path: String, _ end: End, _ status: stat, _ mode: UInt32, _ inotify: Int32) {
    self.end = end
    guard mode != 0 else { return }
    identity = FileIdentity(status)
    guard mode == S_IFREG else { return }
    isEmpty = status.st_size == 0
    // One that cannot be read is looked at again when its folder reports that its mode changed.
    file = add(path, Self.content | UInt32(IN_DONT_FOLLOW), in: inotify, mayBeForbidden: true)
  }

  /// Watches what is in a folder.
  private mutating func watchAll(of folder: String, as pattern: String, in inotify: Int32) {
    let number = add(folder.isEmpty ? "/" : folder, Self.entries | UInt32(IN_MODIFY), in: inotify)
    if let number { names[number, default: []].formUnion([]) }
    end = End(watch: number, folder: folder, name: pattern)
  }

  /// Watches a folder on the way; `false` if that is not possible.
  private mutating func watch(folder: String, in inotify: Int32) -> Bool {
    guard let number = add(folder, Self.folderItself, in: inotify, mayBeForbidden: true) else { return false }
    names[number, default: []].formUnion([])
    return true
  }

  /// Watches a folder for a name in it.
  private mutating func watch(_ name: String, of folder: String, in inotify: Int32) -> Int32? {
    guard let number = add(folder.isEmpty ? "/" : folder, Self.entries, in: inotify) else { return nil }
    names[number, default: []].insert(name)
    return number
  }

  /// Adds to the events that are already watched on a file or folder, for this path or another.
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

  /// The parts of a path, the first one last.
  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  private static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}

import CSystemd
import Glibc

/// Follows the ends of all files in a folder whose names match a pattern, those that come later as well.
///
/// It never waits. A file is known by its numbers, whatever it is called by now, so that one that is rotated to another
/// name that matches is not read twice. One whose name does not match any more is read on until another has something
/// under its first name.
package final class FolderTail {
  package enum Event: Equatable, Sendable {
    /// A file is followed, from this place on.
    case began(FileTail.Place, path: String)
    /// An event of the file with these numbers.
    case file(FileTail.Event, FileNumbers)
    /// Nothing more comes of it.
    case ended(FileNumbers)
  }

  /// The numbers by which the system knows a file.
  package struct FileNumbers: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  /// Where to begin.
  package enum Start: Equatable, Sendable {
    /// At the ends of the files that are there.
    case end
    /// At their beginnings.
    case beginning
    /// Where files were read up to; others have come since.
    case places([(place: FileTail.Place, path: String)])

    package static func == (left: Start, right: Start) -> Bool {
      switch (left, right) {
      case (.end, .end), (.beginning, .beginning): true
      case (.places(let left), .places(let right)):
        left.map(\.place) == right.map(\.place) && left.map(\.path) == right.map(\.path)
      default: false
      }
    }
  }

  private struct Followed {
    let file: TailedFile
    /// The one under which it was found first.
    let path: String
    /// Its present name, where that matches.
    var name: String?
  }

  /// The most files that are kept open though their names do not match any more.
  private static let greatestPast = 8

  private let folder: String
  private let pattern: String
  private let limit: Int
  private var files: [FileNumbers: Followed] = [:]
  /// The files that may have something new, in the order in which they have their turn.
  private var ready: [FileNumbers] = []
  private var names: Set<String> = []
  /// Whether files may have come or gone.
  private var isStale = true
  private var untold: [Event] = []
  /// Why files with these names cannot be followed.
  package private(set) var faults: [String: FileError] = [:]
  /// Whether there are more files than are followed.
  package private(set) var isFull = false

  /// - Parameters:
  ///   - pattern: A path whose last part is a pattern of `fnmatch(3)`, in which `*` does not stand for a leading dot.
  ///   - limit: How many files are followed at most.
  package init(_ pattern: String, limit: Int) {
    let slash = pattern.lastIndex(of: "/")
    folder = slash.map { String(pattern[..<$0]) } ?? "."
    self.pattern = slash.map { String(pattern[pattern.index(after: $0)...]) } ?? pattern
    self.limit = limit
  }

  /// Begins to follow; to be called once.
  package func start(from start: Start) {
    isStale = false
    switch start {
    case .beginning: look { _ in 0 }
    case .end: look { $0.size }
    case .places(let places):
      var known: [FileNumbers: (offset: Int64, path: String)] = [:]
      for (place, path) in places { known[FileNumbers(place)] = (place.offset, path) }
      resume(known)
    }
  }

  /// The files that were read before are gone on with, also under names that do not match.
  private func resume(_ known: [FileNumbers: (offset: Int64, path: String)]) {
    for name in listing() {
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0, let place = known[FileNumbers(FileIdentity(status))] else {
        continue
      }
      follow(name, as: matches(name) ? name : nil, path: place.path) { _ in place.offset }
    }
    for numbers in known.keys.sorted(by: { ($0.device, $0.inode) < ($1.device, $1.inode) }) where files[numbers] == nil
    {
      untold.append(.ended(numbers))
    }
    look { _ in 0 }
  }

  /// Files of the folder may have something new, or there may be others.
  ///
  /// - Parameter names: The names that something has happened to.
  package func note(_ names: Set<String>, isStale: Bool) {
    self.names.formUnion(names)
    if isStale { self.isStale = true }
  }

  /// Reads a piece of one of the files.
  ///
  /// - Returns: Whether there may be more.
  package func read(upTo count: Int, _ receive: (Event) -> Void) -> Bool {
    refresh()
    let events = untold
    untold = []
    for event in events { receive(event) }
    guard !ready.isEmpty else { return false }
    let numbers = ready.removeFirst()
    guard let followed = files[numbers] else { return !ready.isEmpty }
    if followed.file.read(upTo: count, { receive(.file($0, numbers)) }) {
      ready.append(numbers)
    } else if isOver(followed) {
      files[numbers] = nil
      receive(.ended(numbers))
    }
    return !ready.isEmpty
  }

  /// Takes in what was noted since the last time.
  private func refresh() {
    if isStale || names.contains(where: { name in matches(name) && !files.values.contains { $0.name == name } }) {
      isStale = false
      names = []
      look { _ in 0 }
      ready = files.keys.sorted { ($0.device, $0.inode) < ($1.device, $1.inode) }
      return
    }
    if names.isEmpty { return }
    // Nobody knows what those are called now whose names do not match any more.
    for (numbers, followed) in files where followed.name.map(names.contains) ?? true {
      if !ready.contains(numbers) { ready.append(numbers) }
    }
    names = []
  }

  /// Looks for files that have come, and at what those are called that are known.
  ///
  /// - Parameter offset: Where to begin to read one that has come.
  private func look(_ offset: (TailedFile) -> Int64) {
    faults = [:]
    isFull = false
    for numbers in files.keys { files[numbers]?.name = nil }
    for name in listing() where matches(name) { follow(name, as: name, path: "\(folder)/\(name)", offset) }
    ready = files.keys.sorted { ($0.device, $0.inode) < ($1.device, $1.inode) }
  }

  private func follow(_ entry: String, as name: String?, path: String, _ offset: (TailedFile) -> Int64) {
    let here = "\(folder)/\(entry)"
    var status = stat()
    guard stat(here, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let numbers = FileNumbers(FileIdentity(status))
    guard files[numbers] == nil else {
      if let name { files[numbers]?.name = name }
      return
    }
    guard files.count < limit else {
      isFull = true
      return
    }
    do throws(FileError) {
      guard let file = try TailedFile.open(here), FileNumbers(file.identity) == numbers else { return }
      file.skip(to: offset(file))
      files[numbers] = Followed(file: file, path: path, name: name)
      untold.append(.began(file.place, path: path))
    } catch {
      faults[here] = error
    }
  }

  /// Whether nothing more is expected of a file that has been read to its end.
  private func isOver(_ followed: Followed) -> Bool {
    guard followed.name == nil else { return false }
    if followed.file.isRemoved { return true }
    let past = files.values.filter { $0.name == nil }
    if past.count > Self.greatestPast { return true }
    return files.values.contains { $0.name.map { "\(folder)/\($0)" } == followed.path && !$0.file.isEmpty }
  }

  private func matches(_ name: String) -> Bool { fnmatch(pattern, name, FNM_PERIOD) == 0 }

  /// In the order of their bytes, so that files that are found together are told in an order.
  private func listing() -> [String] {
    ((try? FolderListing.names(in: folder)) ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension FolderTail.FileNumbers {
  init(_ identity: FileIdentity) { self.init(device: identity.device, inode: identity.inode) }
  package init(_ place: FileTail.Place) { self.init(device: place.device, inode: place.inode) }
}

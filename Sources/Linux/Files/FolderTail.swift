package import Base
import CSystemd
import Glibc

/// Follows the ends of all files in a folder whose names match a pattern, including new ones.
///
/// It never blocks. A file is identified by its numbers, regardless of its name, so that one rotated to another
/// matching name is not read twice. A file whose name no longer matches is read until a file under its first name has
/// content.
package final class FolderTail {
  package enum Event: Equatable, Sendable {
    /// A file is followed, beginning at this place.
    case began(FileTail.Place, path: String)
    /// An event of the file with these numbers.
    case file(FileTail.Event, FileNumbers)
    /// The file is no longer followed.
    case ended(FileNumbers)
  }

  /// The device and inode numbers of a file.
  package struct FileNumbers: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  /// The start position.
  package enum Start: Equatable, Sendable {
    /// At the ends of the current files.
    case end
    /// The beginnings of existing files.
    case beginning
    /// At earlier read positions; other files are new.
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
    /// The path at which it was first found.
    let path: String
    /// Its current matching names; several if there are links.
    var names: Set<ExactText>
  }

  /// The maximum number of files kept open without a matching name.
  private static let greatestPast = 8

  private let folder: String
  private let pattern: String
  private let limit: Int
  private var files: [FileNumbers: Followed] = [:]
  /// Files with possible new data, in the order of service.
  private var ready: [FileNumbers] = []
  private var closed = KnownPlaces()
  private var names: Set<ExactText> = []
  /// The matching names that are symbolic links: the folder reports no events of their targets.
  package private(set) var links: Set<ExactText> = []
  /// True if files may have been added or removed.
  private var isStale = true
  private var untold: [Event] = []
  /// The reasons for failing to follow files, by path; one of the folder itself for names that are not UTF-8.
  package private(set) var faults: [ExactText: FileError] = [:]
  /// True if files without a matching name are open: only polling detects their growth.
  package var hasPast: Bool { files.values.contains { $0.names.isEmpty } }
  /// True if there are more files than the limit.
  package private(set) var isFull = false

  /// - Parameters:
  ///   - pattern: A path whose last component is a pattern of `fnmatch(3)`; `*` does not match a leading dot.
  ///   - limit: The maximum number of files followed.
  package init(_ pattern: String, limit: Int) {
    let slash = pattern.lastIndex(of: "/")
    folder = slash.map { String(pattern[..<$0]) } ?? "."
    self.pattern = slash.map { String(pattern[pattern.index(after: $0)...]) } ?? pattern
    self.limit = limit
  }

  /// Starts following; called once.
  package func start(from start: Start) {
    isStale = false
    switch start {
    case .beginning: lookForOthers()
    case .end:
      look { file in
        file.skip(to: file.size)
        return true
      }
    case .places(let places):
      var known: [FileNumbers: (place: FileTail.Place, path: String)] = [:]
      for (place, path) in places { known[FileNumbers(place)] = (place, path) }
      resume(known)
    }
  }

  /// Resumes the known files, even under names that do not match.
  private func resume(_ known: [FileNumbers: (place: FileTail.Place, path: String)]) {
    for name in listing() {
      resume("\(folder)/\(name)", as: matches(name) ? name : nil, known)
    }
    for (numbers, (_, path)) in known where files[numbers] == nil && FileTrail.target(of: path) != nil {
      // The link has a new target; the known file may be next to that.
      for other in RotatedFiles(of: path).paths { resume(other, as: nil, known) }
    }
    for numbers in known.keys.sorted(by: { ($0.device, $0.inode) < ($1.device, $1.inode) }) where files[numbers] == nil
    {
      let loss = TailLoss(reason: .gone, offset: known[numbers]?.place.offset ?? 0, unfinished: nil)
      untold += [.file(.lost(loss), numbers), .file(.truncated, numbers), .ended(numbers)]
    }
    lookForOthers()
  }

  private func resume(
    _ here: String, as name: String?, _ known: [FileNumbers: (place: FileTail.Place, path: String)]
  ) {
    var status = stat()
    guard stat(here, &status) == 0, let (place, path) = known[FileNumbers(FileIdentity(status))] else { return }
    follow(here, as: name, path: path) { $0.resume(at: place) }
  }

  /// Records that files of the folder may have new data, or that there may be new files.
  ///
  /// - Parameter names: The names with events.
  package func note(_ names: Set<ExactText>, isStale: Bool) {
    self.names.formUnion(names)
    if isStale { self.isStale = true }
  }

  /// Reads a portion of one of the files.
  ///
  /// - Returns: True if there may be more.
  package func read(upTo count: Int, at now: MonotonicInstant = .now(), _ receive: (Event) -> Void) -> Bool {
    refresh()
    let events = untold
    untold = []
    for event in events { receive(event) }
    guard !ready.isEmpty else { return false }
    let numbers = ready.removeFirst()
    guard let followed = files[numbers] else { return !ready.isEmpty }
    if followed.file.read(upTo: count, { receive(.file($0, numbers)) }) {
      ready.append(numbers)
    } else if isOver(followed, now) {
      closed.add(followed.file)
      files[numbers] = nil
      receive(.ended(numbers))
    }
    return !ready.isEmpty
  }

  /// Processes the events recorded since the last call.
  private func refresh() {
    if isStale || names.contains(where: { matches($0.text) && !isKnown($0) }) {
      isStale = false
      names = []
      lookForOthers()
      return
    }
    if names.isEmpty { return }
    // The current names of files without a matching name are unknown, so these are always checked.
    for (numbers, followed) in files where followed.names.isEmpty || !followed.names.isDisjoint(with: names) {
      if !ready.contains(numbers) { ready.append(numbers) }
    }
    names = []
  }

  /// Schedules the files that report no events.
  package func notePast() {
    for (numbers, followed) in files where followed.names.isEmpty && !ready.contains(numbers) { ready.append(numbers) }
  }

  /// Checks that a name belongs to a followed file.
  private func isKnown(_ name: ExactText) -> Bool {
    guard links.contains(name) else { return files.values.contains { $0.names.contains(name) } }
    var status = stat()
    guard stat("\(folder)/\(name.text)", &status) == 0 else { return false }
    return files[FileNumbers(FileIdentity(status))]?.names.contains(name) == true
  }

  /// Looks for new files, which are read from their beginning or from an earlier position.
  private func lookForOthers() {
    look { [self] file in
      _ = closed.resume(file)
      return true
    }
  }

  /// Looks for new files, and updates the names of known ones.
  ///
  /// - Parameter begin: Positions a new file; returns true to follow it.
  private func look(_ begin: (TailedFile) -> Bool) {
    faults = [:]
    isFull = false
    links = []
    for numbers in files.keys { files[numbers]?.names = [] }
    for name in listing() where matches(name) {
      let here = "\(folder)/\(name)"
      follow(here, as: name, path: here, begin)
    }
    ready = files.keys.sorted { ($0.device, $0.inode) < ($1.device, $1.inode) }
  }

  private func follow(_ here: String, as name: String?, path: String, _ begin: (TailedFile) -> Bool) {
    var status = stat()
    if let name, lstat(here, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, links.count < limit {
      links.insert(ExactText(name))
    }
    guard stat(here, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let numbers = FileNumbers(FileIdentity(status))
    guard files[numbers] == nil else {
      if let name { files[numbers]?.names.insert(ExactText(name)) }
      return
    }
    guard files.count < limit else {
      isFull = true
      return
    }
    do throws(FileError) {
      guard let file = try TailedFile.open(here), FileNumbers(file.identity) == numbers, begin(file) else { return }
      files[numbers] = Followed(file: file, path: path, names: name.map { [ExactText($0)] } ?? [])
      untold.append(.began(file.place, path: path))
    } catch {
      faults[ExactText(here)] = error
    }
  }

  /// Decides that a file, read to its end, is complete.
  private func isOver(_ followed: Followed, _ now: MonotonicInstant) -> Bool {
    guard followed.names.isEmpty else { return false }
    if isFull && followed.file.isRemoved || followed.file.isAbandoned(at: now) { return true }
    let past = files.values.filter { $0.names.isEmpty }
    if past.count > Self.greatestPast { return true }
    return files.values.contains { other in
      !other.file.isEmpty && other.names.contains { ExactText("\(folder)/\($0.text)") == ExactText(followed.path) }
    }
  }

  private func matches(_ name: String) -> Bool { fnmatch(pattern, name, FNM_PERIOD) == 0 }

  /// Returns the names ordered by their bytes, so that events have a stable order; notes matching ones that are not UTF-8.
  private func listing() -> [String] {
    guard let reading = try? FolderReading(folder) else { return [] }
    var names: [ExactText] = []
    while let entry = reading.next() {
      switch entry {
      case .name(let name, _): names.append(ExactText(name))
      case .unreadable(let name):
        if fnmatch(pattern, name, FNM_PERIOD) == 0 { faults[ExactText(folder)] = .unreadableName(folder: folder) }
      }
    }
    return names.sorted().map(\.text)
  }
}

extension FolderTail.FileNumbers {
  init(_ identity: FileIdentity) { self.init(device: identity.device, inode: identity.inode) }
  package init(_ place: FileTail.Place) { self.init(device: place.device, inode: place.inode) }
}

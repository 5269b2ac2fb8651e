package import Base
import CSystemd
import Glibc

/// The files below a folder that match a pattern: reports those that are created, changed and removed.
///
/// Events of the kernel only tell where to look: a report is a difference between what is known and what is there, so
/// that nothing is missed after lost events, and nothing is reported twice. It never blocks: folders are scanned in
/// portions.
package final class FolderWatch {
  /// The time without a write after which a file that is open counts as written.
  package static let settling = Duration.milliseconds(100)
  /// The delay before the first attempt to watch a folder that could not be watched.
  package static let retrial = FolderFaults.retrial
  /// The maximum number of folders, each with a watch.
  package static let greatestFolders = 10_000
  /// The number of names that one slice looks at.
  private static let slice = 128
  /// The number of slices of the first scan that are done at once.
  private static let slicesAtOnce = 8

  private let root: String
  private let pattern: PathPattern
  private let limit: Int
  private let watcher: FolderWatcher
  private var top: WatchedFolder?
  private var count = 0
  private var folderCount = 0
  private var hints = FolderHints()
  /// The folders to be scanned.
  private var waiting = FirstInFirstOut<WatchedFolder>()
  private var reading: (folder: WatchedFolder, entries: FolderReading)?
  private var scan: UInt32 = 0
  /// True until the files that existed when watching began have been reported.
  private var isBeginning: Bool
  private var reports = FolderReports()
  private var isCancelled = false
  private var faults = FolderFaults()
  /// True if the root may be another folder.
  private var isStale = true
  /// The symbolic links among the files, whose targets report nothing to the folder.
  package private(set) var links: Set<ExactText> = []
  /// The maximum number of links whose targets are watched.
  package static let greatestLinks = 1000

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - root: The path of the folder, which may be missing.
  ///   - limit: The maximum number of files.
  ///   - known: The files known from an earlier watch, whose differences are reported; `nil` for none.
  package init(_ root: String, _ pattern: PathPattern, limit: Int, from known: [File]?, _ watcher: FolderWatcher) {
    self.root = root == "/" ? "" : root
    (self.pattern, self.limit, self.watcher) = (pattern, limit, watcher)
    isBeginning = known == nil
    watcher.add(self)
    for file in known ?? [] { recall(file) }
    // A moderate number of files is known when the call returns, so that every later change is reported.
    var slices = 0
    while slices < Self.slicesAtOnce, process(at: .now()) { slices += 1 }
  }

  deinit { cancel() }

  /// Stops watching.
  package func cancel() {
    if isCancelled { return }
    isCancelled = true
    if let top { unwatch(top) }
    top = nil
    watcher.remove(self)
  }

  /// Restores a known file, in the folders of its path.
  private func recall(_ file: File) {
    guard count < limit else { return }
    var folder = top ?? makeTop()
    var parts = Self.parts(of: file.path)
    guard let name = parts.popLast() else { return }
    for part in parts { folder = folder.folders[part] ?? makeFolder(part, in: folder) }
    if folder.files.updateValue(.init(stamp: file.stamp, scan: 0, isInitial: false), forKey: name) == nil { count += 1 }
  }

  private func makeTop() -> WatchedFolder {
    let folder = WatchedFolder("", pattern.start, in: self)
    top = folder
    folderCount += 1
    return folder
  }

  private func makeFolder(_ name: ExactText, in parent: WatchedFolder) -> WatchedFolder {
    let folder = WatchedFolder(parent.path(of: name), pattern.step(from: parent.place, to: name.text), in: self)
    parent.folders[name] = folder
    folderCount += 1
    return folder
  }

  // MARK: Hints

  /// Records that the root may be another folder.
  package func noteRoot() { isStale = true }

  /// Records that a link, or the file to which it leads, may have changed.
  ///
  /// - Parameter isUnderWay: True if its writer still has it open.
  package func note(link path: String, isUnderWay: Bool) {
    var parts = Self.parts(of: path)
    guard let name = parts.popLast(), let folder = folder(at: parts) else { return }
    let hint = FolderHints.Hint(folder: folder, name: name, isWritten: isUnderWay)
    if isUnderWay { postpone(hint, ExactText(path)) } else { touch(hint) }
  }

  /// Called when there is something to do.
  package var onHint: () -> Void = {}

  func noteMounts() {
    isStale = true
    onHint()
  }

  func noteOverflow() {
    loseTrack()
    onHint()
  }

  /// Drops all hints and scans everything.
  private func loseTrack() {
    reports.appendOverflow()
    hints.removeAll()
    isStale = true
  }

  func note(_ event: InotifyEvents.Event, in folder: WatchedFolder) {
    defer { onHint() }
    if event.isUnreadable {
      if event.mask & UInt32(IN_DELETE | IN_MOVED_FROM) == 0 { reportUnreadable(in: folder) }
      return
    }
    guard let name = event.name, !event.isGone else {
      if event.isGone || event.mask & UInt32(IN_UNMOUNT) != 0 { isStale = true }
      return
    }
    let isFolder = event.mask & UInt32(IN_ISDIR) != 0
    let place = pattern.step(from: folder.place, to: name.text)
    guard pattern.isMatch(place) || isFolder && pattern.isOnWay(place) else { return }
    var hint = FolderHints.Hint(folder: folder, name: name)
    let isArrival = event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
    hint.isCreated = isArrival && !isFolder
    if isFolder { return touch(hint) }
    let path = ExactText(folder.path(of: name))
    if event.mask & UInt32(IN_MODIFY | IN_CREATE) != 0 {
      hint.isWritten = event.mask & UInt32(IN_MODIFY) != 0
      return postpone(hint, path)
    }
    // A new mode or time while the file is written is not the end of that.
    if event.mask & UInt32(IN_ATTRIB) != 0, hints.isOpen(path) { return }
    if let former = hints.close(path), event.mask & UInt32(IN_CLOSE_WRITE) != 0 {
      (hint.isWritten, hint.isCreated) = (former.isWritten, former.isCreated)
    }
    touch(hint)
  }

  private func touch(_ hint: FolderHints.Hint) {
    if !hints.add(hint) { loseTrack() }
  }

  /// Looks at a file once nothing has been written for a while.
  private func postpone(_ hint: FolderHints.Hint, _ path: ExactText) {
    if !hints.postpone(hint, path, until: .now() + Self.settling) { touch(hint) }
  }

  // MARK: Work

  /// The time of the next work that no event announces.
  package var deadline: MonotonicInstant? {
    [hints.nextDue, faults.nextTrial].compactMap(\.self).min()
  }

  /// Does a portion of the work.
  ///
  /// - Returns: True if there may be more at once.
  package func runSlice(at now: MonotonicInstant = .now(), _ receive: (Event) -> Void) -> Bool {
    let hasMore = isCancelled ? false : process(at: now)
    for event in reports.take() { if !isCancelled { receive(event) } }
    return hasMore && !isCancelled
  }

  private func process(at now: MonotonicInstant) -> Bool {
    if faults.takeTrial(at: now) { isStale = true }
    for hint in hints.takeWritten(at: now) { touch(hint) }
    if isStale { beginScan() }
    var rest = Self.slice
    while rest > 0, let hint = hints.next() {
      // Folders may be gone meanwhile.
      if hint.folder === folder(at: Self.parts(of: hint.folder.path)) {
        look(at: hint.name, in: hint.folder, isWritten: hint.isWritten, isCreated: hint.isCreated)
      }
      rest -= 1
    }
    while rest > 0, readNext() { rest -= 1 }
    if !hints.isEmpty || reading != nil || !waiting.isEmpty || isStale { return true }
    endScan(at: now)
    return false
  }

  private func folder(at parts: [ExactText]) -> WatchedFolder? { parts.reduce(top) { $0?.folders[$1] } }

  private static func parts(of path: String) -> [ExactText] {
    path.split(separator: "/").map { ExactText(String($0)) }
  }

  // MARK: Scanning

  private func beginScan() {
    isStale = false
    scan &+= 1
    reading = nil
    waiting = FirstInFirstOut()
    faults.beginScan()
    var status = stat()
    guard stat(root.isEmpty ? "/" : root, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      if errno == EACCES { fail(root, .last("stat", root)) }
      if let top { remove(top) }
      top = nil
      return
    }
    let identity = FileIdentity(status)
    let folder = top ?? makeTop()
    if folder.identity != identity { watcher.unwatch(folder) }
    folder.identity = identity
    waiting.append(folder)
  }

  /// Reads one name of the scan; false at its end.
  private func readNext() -> Bool {
    guard let (folder, entries) = reading else {
      guard let next = waiting.popFirst() else { return false }
      begin(next)
      return true
    }
    switch entries.next() {
    case .name(let text, let isFile):
      let name = ExactText(text)
      let place = pattern.step(from: folder.place, to: text)
      if pattern.isMatch(place) || !isFile && pattern.isOnWay(place) {
        folder.files[name]?.scan = scan
        look(at: name, in: folder, isScanned: true)
      }
    case .unreadable:
      reportUnreadable(in: folder)
    case nil:
      reading = nil
      let files = folder.files.filter { $0.value.scan != scan }.keys
      let folders = folder.folders.filter { $0.value.scan != scan }.keys
      for name in (Array(files) + Array(folders)).sorted() { look(at: name, in: folder) }
    }
    return true
  }

  private func begin(_ folder: WatchedFolder) {
    folder.scan = scan
    let path = absolute(folder.path)
    do throws(Errno) {
      // First watched, then read: what comes meanwhile is met by one of them.
      try watcher.watch(folder, at: path)
    } catch {
      if error.number != ENOENT, error.number != ENOTDIR { fail(path, error) }
    }
    do throws(Errno) {
      reading = (folder, try FolderReading(path))
    } catch {
      if error.number != ENOENT, error.number != ENOTDIR { fail(path, error) }
    }
  }

  private func endScan(at now: MonotonicInstant) {
    reports.endBatch()
    if isBeginning {
      isBeginning = false
      reports.append(.looked)
    }
    if count < limit { reports.endFull() }
    faults.endScan(at: now)
  }

  // MARK: Differences

  private func absolute(_ path: String) -> String { path.isEmpty ? (root.isEmpty ? "/" : root) : "\(root)/\(path)" }

  /// Compares an entry of a folder with what is known of it.
  private func look(
    at name: ExactText, in folder: WatchedFolder, isWritten: Bool = false, isCreated: Bool = false,
    isScanned: Bool = false
  ) {
    let path = folder.path(of: name)
    var status = stat()
    var kind = lstat(absolute(path), &status) == 0 ? status.st_mode & S_IFMT : 0
    let place = pattern.step(from: folder.place, to: name.text)
    let isLink = kind == S_IFLNK && pattern.isMatch(place)
    if isLink { kind = stat(absolute(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? S_IFREG : 0 }
    if isLink, links.count < Self.greatestLinks { links.insert(ExactText(path)) }
    if !isLink, !links.isEmpty { links.remove(ExactText(path)) }
    let isFile = kind == S_IFREG && pattern.isMatch(place)
    let isFolder = kind == S_IFDIR && pattern.isOnWay(place)
    if !isFile { removeFile(name, of: folder) }
    if let known = folder.folders[name], !isFolder || known.identity.map({ $0 != FileIdentity(status) }) ?? false {
      remove(known)
      folder.folders[name] = nil
    }
    if isFile {
      note(FileStamp(status), of: name, in: folder, isWritten: isWritten, isCreated: isCreated, isScanned: isScanned)
    } else if isFolder {
      enter(name, of: folder, FileIdentity(status), isScanned: isScanned)
    }
  }

  private func enter(_ name: ExactText, of parent: WatchedFolder, _ identity: FileIdentity, isScanned: Bool) {
    let known = parent.folders[name]
    // An event of a known folder tells nothing about its content, unless it could not be watched.
    if let known, !isScanned, known.watch != nil { return }
    if known == nil, folderCount >= Self.greatestFolders {
      reports.append(failure: "\(root): more than \(Self.greatestFolders) folders; no more of them are watched")
      return
    }
    let folder = known ?? makeFolder(name, in: parent)
    folder.identity = identity
    if folder.scan == scan, known != nil, isScanned { return }
    folder.scan = scan
    waiting.append(folder)
  }

  private func note(
    _ stamp: FileStamp, of name: ExactText, in folder: WatchedFolder, isWritten: Bool, isCreated: Bool, isScanned: Bool
  ) {
    let file = File(path: folder.path(of: name), stamp: stamp)
    if let known = folder.files[name] {
      let isNew = known.isInitial && isCreated && known.stamp.inode == stamp.inode
      guard known.stamp != stamp || isWritten || isNew else { return }
      if isScanned, isRecent(stamp) {
        return postpone(FolderHints.Hint(folder: folder, name: name, isWritten: true), ExactText(file.path))
      }
      folder.files[name] = .init(stamp: stamp, scan: known.scan, isInitial: false)
      reports.append(isNew ? .created(file) : .changed(file))
      return
    }
    guard count < limit else { return reports.appendFull() }
    if isScanned, !isBeginning, isRecent(stamp) {
      return postpone(FolderHints.Hint(folder: folder, name: name), ExactText(file.path))
    }
    count += 1
    folder.files[name] = .init(stamp: stamp, scan: scan, isInitial: isBeginning && isScanned)
    guard isBeginning, isScanned else { return reports.append(.created(file)) }
    reports.append(found: file)
  }

  /// Returns true for a file that its writer may not have finished.
  private func isRecent(_ stamp: FileStamp) -> Bool {
    let age = WallTime.now().microseconds - stamp.modified / 1000
    return age >= 0 && age < Int64(Self.settling / .microseconds(1))
  }

  private func removeFile(_ name: ExactText, of folder: WatchedFolder) {
    guard folder.files.removeValue(forKey: name) != nil else { return }
    count -= 1
    reports.endBatch()
    reports.append(.removed(path: folder.path(of: name)))
    // There may be others that had no place.
    if reports.isFull { faults.trySoon(at: .now()) }
  }

  /// Removes a folder with all below it.
  private func remove(_ folder: WatchedFolder) {
    for name in folder.files.keys.sorted() { removeFile(name, of: folder) }
    for (_, inner) in folder.folders.sorted(by: { $0.key < $1.key }) { remove(inner) }
    if !links.isEmpty {
      links = links.filter { !$0.text.utf8.starts(with: "\(folder.path)/".utf8) && !folder.path.isEmpty }
    }
    folder.folders = [:]
    folderCount -= 1
    watcher.unwatch(folder)
  }

  private func unwatch(_ folder: WatchedFolder) {
    watcher.unwatch(folder)
    for inner in folder.folders.values { unwatch(inner) }
  }

  // MARK: Faults

  private func reportUnreadable(in folder: WatchedFolder) {
    reports.append(failure: "\(absolute(folder.path)): a name that is not UTF-8, which is not watched")
  }

  private func fail(_ path: String, _ error: Errno) {
    if let text = faults.add(path, error) { reports.append(.failed(text)) }
  }
}

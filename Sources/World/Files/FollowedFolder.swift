import Base
import GraphEngine
import Linux
import Signals

/// A watched folder.
final class FollowedFolder: CooperativeTask {
  var isWaiting = false
  var source: String? { query.owner }
  /// Watches the path of the folder.
  var rootWatch: FileWatch?
  /// Watches the target of a link, given the paths of the link and of its file below the folder.
  var watchLink: (_ path: String, _ name: String) -> FileWatch? = { _, _ in nil }
  private var linkWatches: [ExactText: FileWatch?] = [:]
  private let query: FolderQuery
  private let watch: FolderWatch
  private let receive: (FolderEvent) -> Void
  private let loop: EventLoop
  private var timer: LoopTimer?
  private var due: MonotonicInstant?
  private var isOver = false

  init(
    _ query: FolderQuery, _ watch: FolderWatch, loop: EventLoop, _ work: CooperativeTasks,
    _ receive: @escaping (FolderEvent) -> Void
  ) throws(Errno) {
    (self.query, self.watch, self.loop, self.receive) = (query, watch, loop, receive)
    timer = try loop.addTimer { [work, weak self] in
      guard let self else { return }
      due = nil
      work.add(self)
    }
    watch.onHint = { [work, weak self] in if let self, !isOver { work.add(self) } }
  }

  func end() {
    isOver = true
    rootWatch?.cancel()
    for watch in linkWatches.values { watch?.cancel() }
    watch.cancel()
    timer = nil
  }

  /// Notes that the path may lead to another folder.
  func noteRoot() { watch.noteRoot() }

  /// Notes a change of a link, of its path, or of the file that it leads to.
  func note(link name: String, _ change: FileChange) {
    if case .underWay = change {
      watch.note(link: name, isUnderWay: true)
    } else {
      watch.note(link: name, isUnderWay: false)
    }
  }

  func runSlice() -> Bool {
    if isOver { return false }
    var hasMore = watch.runSlice { [self] event in if !isOver { receive(FolderEvent(event)) } }
    if isOver { return false }
    if watch.links.count != linkWatches.count || watch.links != Set(linkWatches.keys) {
      followLinks()
      hasMore = true
    }
    setTimer()
    return hasMore
  }

  /// Watches the targets of the current links.
  private func followLinks() {
    let links = watch.links
    for (name, watch) in linkWatches where !links.contains(name) {
      watch?.cancel()
      linkWatches[name] = nil
    }
    for name in links where linkWatches[name] == nil {
      linkWatches[name] = .some(watchLink("\(query.folder)/\(name.text)", name.text))
      // Its target may have been different when it was examined.
      note(link: name.text, .done)
    }
  }

  private func setTimer() {
    guard let deadline = watch.deadline, deadline != due else { return }
    due = deadline
    do throws(Errno) { try timer?.set(deadline) } catch { loop.fail(error) }
  }
}

extension FollowedFiles {
  /// Reports the changes of the files below a folder until it is disposed of.
  ///
  /// - Parameter known: The files known from an earlier watch.
  func watch(
    _ query: FolderQuery, from known: [FolderFile]?, _ receive: @escaping (FolderEvent) -> Void
  ) -> any Disposable {
    do throws(Errno) {
      let watch = FolderWatch(
        query.folder, PathPattern(query.pattern), limit: query.limit, from: known?.map(FolderWatch.File.init),
        try theFolderWatcher())
      let folder = try FollowedFolder(query, watch, loop: loop, work, receive)
      folder.rootWatch = place(query.folder) { [work, weak folder] _, _ in
        guard let folder else { return }
        folder.noteRoot()
        work.add(folder)
      }
      folder.watchLink = { [work, weak self, weak folder] path, name in
        self?.place(path) { [weak folder] change, _ in
          guard let folder else { return }
          folder.note(link: name, change)
          work.add(folder)
        }
      }
      work.add(folder)
      return AnyDisposable { folder.end() }
    } catch {
      complain(query.folder, error)
      return AnyDisposable {}
    }
  }
}

extension FolderWatch.File {
  fileprivate init(_ file: FolderFile) {
    self.init(path: file.path, stamp: FileStamp(inode: file.inode, size: file.size, modified: file.modified))
  }
}

extension FolderFile {
  fileprivate init(_ file: FolderWatch.File) {
    self.init(path: file.path, inode: file.stamp.inode, size: file.stamp.size, modified: file.stamp.modified)
  }
}

extension FolderEvent {
  /// Converts an event for graphs.
  fileprivate init(_ event: FolderWatch.Event) {
    switch event {
    case .found(let files): self = .found(files.map(FolderFile.init))
    case .looked: self = .looked
    case .created(let file): self = .created(FolderFile(file))
    case .changed(let file): self = .changed(FolderFile(file))
    case .removed(let path): self = .removed(path: path)
    case .overflow: self = .overflow
    case .full: self = .full
    case .failed(let message): self = .failed(message)
    }
  }
}

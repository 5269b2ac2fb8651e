import Base
import GraphEngine
import Linux
import Signals

/// The files and folders that graphs follow, on one inotify descriptor for files and one for folders.
final class FollowedFiles: SystemService {
  let loop: EventLoop
  private let poller: Poller
  let work: CooperativeTasks
  private let log: Log
  private let polling: OpenFilePolling
  /// Created for the first file.
  private var watcher: FileWatcher?
  /// Created for the first folder.
  private var folderWatcher: FolderWatcher?

  init(_ services: SystemServices) throws(Errno) {
    (loop, poller, work, log) = (services.loop, services.poller, services.work, services.log)
    polling = try OpenFilePolling(loop: loop, work: work)
  }

  /// Reports changes of a file until it is disposed of.
  func watch(_ path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    let watch = place(path) { change, _ in changed(ContentChange(change)) }
    return AnyDisposable { watch?.cancel() }
  }

  func place(
    _ path: String, isPattern: Bool = false, _ changed: @escaping FileWatch.Observer
  ) -> FileWatch? {
    do throws(Errno) {
      let watch = try theWatcher().watch(path, isPattern: isPattern, changed)
      if let fault = watch.fault { complain(path, fault) }
      return watch
    } catch {
      complain(path, error)
      return nil
    }
  }

  func complain(_ path: String, _ error: Errno) {
    log.error("cannot watch \(path): \(error)")
  }

  private func theWatcher() throws(Errno) -> FileWatcher {
    if let watcher { return watcher }
    let made = try FileWatcher(poller)
    watcher = made
    return made
  }

  func theFolderWatcher() throws(Errno) -> FolderWatcher {
    if let folderWatcher { return folderWatcher }
    let made = try FolderWatcher(poller)
    folderWatcher = made
    return made
  }

  /// Reports what is appended to a file until it is disposed of.
  ///
  /// - Parameters:
  ///   - owner: The signal that receives it.
  ///   - start: The position to read from.
  func tail(
    _ path: String, for owner: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable {
    let tail = FollowedTail(path, for: owner, log: log, polling, receive)
    tail.watch = self.place(path) { [work, weak tail] _, departures in
      guard let tail else { return }
      tail.departures += departures
      work.add(tail)
    }
    tail.start(from: FileTail.Start(start))
    work.add(tail)
    return AnyDisposable { tail.end() }
  }
}

extension FollowedFiles {
  /// Reports what is appended to the files that match a pattern until it is disposed of.
  ///
  /// - Parameters:
  ///   - owner: The signal that receives it.
  ///   - start: The positions to read from.
  func tail(
    pattern: String, for owner: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    let glob = FollowedGlob(pattern, for: owner, log: log, polling, receive)
    glob.watch = place(pattern, isPattern: true) { [work, weak glob] _, _ in
      guard let glob else { return }
      glob.note()
      work.add(glob)
    }
    glob.watchLink = { [work, weak self, weak glob] path, name in
      self?.place(path) { [weak glob] _, _ in
        guard let glob else { return }
        glob.note(link: name)
        work.add(glob)
      }
    }
    glob.start(from: start)
    work.add(glob)
    return AnyDisposable { glob.end() }
  }
}

extension ContentChange {
  fileprivate init(_ change: FileChange) {
    switch change {
    case .underWay: self = .underWay
    case .done: self = .done
    }
  }
}

/// One file that is followed.
private final class FollowedTail: CooperativeTask {
  var watch: FileWatch?
  /// The current paths of files that were moved from the followed path and have not been examined since.
  var departures: [String] = []
  var isWaiting = false
  let source: String?
  private let path: String
  private let tail: FileTail
  private let polling: OpenFilePolling
  private let receive: (TailEvent) -> Void
  private var isOver = false
  private var reports: TailReports

  init(
    _ path: String, for owner: String, log: Log, _ polling: OpenFilePolling, _ receive: @escaping (TailEvent) -> Void
  ) {
    self.path = path
    source = owner
    tail = FileTail(path)
    self.polling = polling
    self.receive = receive
    reports = TailReports(path, log)
  }

  func start(from start: FileTail.Start) {
    tail.start(from: start)
    complain()
  }

  func end() {
    isOver = true
    watch?.cancel()
    polling.set(self, isNeeded: false)
  }

  func runSlice() -> Bool {
    if isOver { return false }
    let hasMore = tail.read(upTo: CooperativeTasks.piece, departures: departures) { event in
      if isOver { return }
      reports.note(event)
      if let event = TailEvent(event) { receive(event) }
    }
    departures = []
    complain()
    polling.set(self, isNeeded: tail.hasPast && !isOver)
    return hasMore
  }

  private func complain() { reports.note(tail.fault.map { [ExactText(path): $0] } ?? [:]) }
}

extension FileTail.Start {
  fileprivate init(_ start: TailStart) {
    switch start {
    case .end: self = .end
    case .beginning: self = .beginning
    case .place(let place):
      self = .place(FileTail.Place(place))
    }
  }
}

extension FileTail.Place {
  init(_ place: TailPlace) {
    self.init(
      device: place.device, inode: place.inode, offset: place.offset,
      fingerprint: place.fingerprint.map { ContentFingerprint(head: $0.head, last: $0.last) })
  }
}

extension TailPlace {
  init(_ place: FileTail.Place) {
    self.init(
      device: place.device, inode: place.inode, offset: place.offset,
      fingerprint: place.fingerprint.map { Fingerprint(head: $0.head, last: $0.last) })
  }
}

extension TailEvent {
  /// Converts an event for graphs.
  init?(_ event: FileTail.Event) {
    switch event {
    case .appended(let bytes): self = .appended(bytes)
    case .rotated: self = .rotated
    case .truncated: self = .truncated
    case .lost, .skipped: return nil
    case .reached(let place): self = .reached(TailPlace(place))
    }
  }
}

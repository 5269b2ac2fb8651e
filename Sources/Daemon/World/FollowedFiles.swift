import Linux
import ReactiveCore
import SignalGraph

/// The files that graphs follow, on one inotify descriptor.
final class FollowedFiles {
  private let poller: Poller
  private let work: Piecework
  private let log: Log
  /// Made for the first file.
  private var watcher: FileWatcher?

  init(poller: Poller, work: Piecework, log: Log) {
    self.poller = poller
    self.work = work
    self.log = log
  }

  /// Tells of changes of a file until it is disposed of.
  func watch(_ path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    let watch = place(path) { change, _ in changed(ContentChange(change)) }
    return AnyDisposable { watch?.cancel() }
  }

  private func place(
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

  private func complain(_ path: String, _ error: Errno) {
    log.error("changes of \(path) may not be noticed: \(error)")
  }

  private func theWatcher() throws(Errno) -> FileWatcher {
    if let watcher { return watcher }
    let made = try FileWatcher(poller)
    watcher = made
    return made
  }

  /// Tells what is appended to a file until it is disposed of.
  ///
  /// - Parameter start: Where it is read from.
  func tail(_ path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void) -> any Disposable {
    let tail = FollowedTail(path, log: log, receive)
    tail.watch = self.place(path) { [work, unowned tail] _, departures in
      tail.departures += departures
      work.add(tail)
    }
    tail.start(from: FileTail.Start(start))
    work.add(tail)
    return AnyDisposable { tail.end() }
  }
}

extension FollowedFiles {
  /// Tells what is appended to the files that match a pattern until it is disposed of.
  ///
  /// - Parameter start: Where they are read from.
  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    let glob = FollowedGlob(pattern, log: log, receive)
    glob.watch = place(pattern, isPattern: true) { [work, unowned glob] _, _ in
      glob.note()
      work.add(glob)
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

/// One file whose end is followed.
private final class FollowedTail: Pieceworker {
  var watch: FileWatch?
  /// Where files are now that stood at the path and have not been looked at since.
  var departures: [String] = []
  var isWaiting = false
  var isReader: Bool { true }
  private let tail: FileTail
  private let log: Log
  private let receive: (TailEvent) -> Void
  private var isOver = false
  /// The last report of a file that cannot be read, so that each is made once.
  private var complaint: FileError?

  init(_ path: String, log: Log, _ receive: @escaping (TailEvent) -> Void) {
    tail = FileTail(path)
    self.log = log
    self.receive = receive
  }

  func start(from start: FileTail.Start) {
    tail.start(from: start)
    complain()
  }

  func end() {
    isOver = true
    watch?.cancel()
  }

  func doPiece() -> Bool {
    if isOver { return false }
    let hasMore = tail.read(upTo: Piecework.piece, departures: departures) { event in
      if !isOver { receive(TailEvent(event)) }
    }
    departures = []
    complain()
    return hasMore
  }

  private func complain() {
    if let fault = tail.fault, fault != complaint { log.warning("a file cannot be followed: \(fault)") }
    complaint = tail.fault
  }
}

extension FileTail.Start {
  fileprivate init(_ start: TailStart) {
    switch start {
    case .end: self = .end
    case .beginning: self = .beginning
    case .place(let place):
      self = .place(FileTail.Place(device: place.device, inode: place.inode, offset: place.offset))
    }
  }
}

extension TailPlace {
  init(_ place: FileTail.Place) { self.init(device: place.device, inode: place.inode, offset: place.offset) }
}

extension TailEvent {
  init(_ event: FileTail.Event) {
    switch event {
    case .appended(let bytes): self = .appended(bytes)
    case .rotated: self = .rotated
    case .truncated: self = .truncated
    case .reached(let place): self = .reached(TailPlace(place))
    }
  }
}

import Linux
import ReactiveCore
import SignalGraph

/// The files that graphs follow, on one inotify descriptor.
final class FollowedFiles {
  private let poller: Poller
  private let loop: EventLoop
  private let log: Log
  /// Made for the first file.
  private var watcher: FileWatcher?

  init(loop: EventLoop, poller: Poller, log: Log) {
    self.loop = loop
    self.poller = poller
    self.log = log
  }

  /// Tells of changes of a file until it is disposed of.
  func watch(_ path: String, _ changed: @escaping (SignalGraph.FileChange) -> Void) -> any Disposable {
    do throws(Errno) {
      let watch = try theWatcher().watch(path) { changed(SignalGraph.FileChange($0)) }
      return AnyDisposable { watch.cancel() }
    } catch {
      log.error("changes of \(path) will not be noticed: \(error)")
      return AnyDisposable {}
    }
  }

  private func theWatcher() throws(Errno) -> FileWatcher {
    if let watcher { return watcher }
    let made = try FileWatcher(poller)
    watcher = made
    return made
  }

  /// Tells what is appended to a file until it is disposed of.
  func tail(_ path: String, _ receive: @escaping (TailEvent) -> Void) -> any Disposable {
    let tail = FollowedTail(path, loop: loop, log: log, receive)
    let watch = watch(path) { _ in tail.read() }
    tail.start()
    return AnyDisposable {
      watch.dispose()
      tail.stop()
    }
  }
}

extension SignalGraph.FileChange {
  fileprivate init(_ change: Linux.FileChange) {
    switch change {
    case .underWay: self = .underWay
    case .done: self = .done
    }
  }
}

/// One file whose end is followed.
private final class FollowedTail {
  private let tail: FileTail
  private let loop: EventLoop
  private let log: Log
  private let receive: (TailEvent) -> Void
  private var isStopped = false
  /// What was said last of a file that cannot be read, so that it is said once.
  private var complaint: String?

  init(_ path: String, loop: EventLoop, log: Log, _ receive: @escaping (TailEvent) -> Void) {
    tail = FileTail(path)
    self.loop = loop
    self.log = log
    self.receive = receive
  }

  func start() {
    do throws(FileError) { try tail.start() } catch { complain(error) }
  }

  func stop() { isStopped = true }

  /// Reads what is there now, a piece at a time, so that others have their turn.
  func read() {
    if isStopped { return }
    do throws(FileError) {
      let hasMore = try tail.read { event in
        if !isStopped { receive(TailEvent(event)) }
      }
      complaint = nil
      if hasMore { loop.post { [self] in read() } }
    } catch {
      complain(error)
    }
  }

  private func complain(_ error: FileError) {
    let text = "\(error)"
    if complaint != text { log.warning("a file cannot be followed: \(text)") }
    complaint = text
  }
}

extension TailEvent {
  fileprivate init(_ event: FileTail.Event) {
    switch event {
    case .appended(let bytes): self = .appended(bytes)
    case .rotated: self = .rotated
    case .truncated: self = .truncated
    }
  }
}

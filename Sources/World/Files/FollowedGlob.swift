import Base
import GraphEngine
import Linux
import Signals

/// The files that match a pattern and are followed.
final class FollowedGlob: CooperativeTask {
  /// The most files that one signal follows: each takes a descriptor.
  static let greatestCount = 1000

  var watch: FileWatch?
  /// Watches the target of a link, given the path and the name of the link.
  var watchLink: (_ path: String, _ name: String) -> FileWatch? = { _, _ in nil }
  private var linkWatches: [ExactText: FileWatch?] = [:]
  var isWaiting = false
  let source: String?
  private let pattern: String
  private let tail: FolderTail
  private let log: Log
  private let polling: OpenFilePolling
  private let receive: (GlobEvent) -> Void
  private var hasLooked = false
  private var isOver = false
  private var reports: TailReports
  private var hasComplainedOfCount = false

  init(
    _ pattern: String, for owner: String, log: Log, _ polling: OpenFilePolling, _ receive: @escaping (GlobEvent) -> Void
  ) {
    self.pattern = pattern
    source = owner
    tail = FolderTail(pattern, limit: Self.greatestCount)
    self.log = log
    self.polling = polling
    self.receive = receive
    reports = TailReports(pattern, log)
  }

  func start(from start: GlobStart) {
    tail.start(from: FolderTail.Start(start))
    complain()
  }

  func end() {
    isOver = true
    watch?.cancel()
    for watch in linkWatches.values { watch?.cancel() }
    polling.set(self, isNeeded: false)
  }

  /// Notes changes in the folder.
  func note() {
    guard let touched = watch?.takeTouched() else { return }
    tail.note(touched.names, isStale: touched.isStale)
  }

  /// Notes a change of a link, of its path, or of the file that it leads to.
  func note(link name: String) { tail.note([ExactText(name)], isStale: false) }

  /// Watches the targets of the current links.
  private func followLinks() {
    let links = tail.links
    for (name, watch) in linkWatches where !links.contains(name) {
      watch?.cancel()
      linkWatches[name] = nil
    }
    let folder = pattern.lastIndex(of: "/").map { pattern[...$0] } ?? ""
    for name in links where linkWatches[name] == nil {
      linkWatches[name] = .some(watchLink(folder + name.text, name.text))
      // Its target may have been different when it was examined.
      note(link: name.text)
    }
  }

  func runSlice() -> Bool {
    if isOver { return false }
    tail.notePast()
    var hasMore = tail.read(upTo: CooperativeTasks.piece) { event in
      if isOver { return }
      if case .file(let event, _) = event { reports.note(event) }
      if let event = GlobEvent(event) { receive(event) }
    }
    if !isOver, tail.links != Set(linkWatches.keys) {
      followLinks()
      hasMore = true
    }
    if !hasLooked, !isOver {
      // The files that existed at the start were reported with the first slice.
      hasLooked = true
      receive(.looked)
    }
    complain()
    polling.set(self, isNeeded: tail.hasPast && !isOver)
    return hasMore
  }

  private func complain() {
    reports.note(tail.faults)
    if tail.isFull, !hasComplainedOfCount {
      log.warning("\(pattern) matches more than \(Self.greatestCount) files: the others are not followed")
    }
    hasComplainedOfCount = tail.isFull
  }
}

extension FolderTail.Start {
  fileprivate init(_ start: GlobStart) {
    switch start {
    case .end: self = .end
    case .beginning: self = .beginning
    case .places(let files):
      self = .places(
        files.map {
          (FileTail.Place($0.place), $0.path)
        })
    }
  }
}

extension GlobEvent {
  /// Converts an event for graphs.
  fileprivate init?(_ event: FolderTail.Event) {
    switch event {
    case .began(let place, let path): self = .began(TailPlace(place), path: path)
    case .file(let event, let numbers):
      guard let event = TailEvent(event) else { return nil }
      self = .tail(event, of: FileNumbers(numbers))
    case .ended(let numbers): self = .ended(FileNumbers(numbers))
    }
  }
}

extension FileNumbers {
  fileprivate init(_ numbers: FolderTail.FileNumbers) { self.init(device: numbers.device, inode: numbers.inode) }
}

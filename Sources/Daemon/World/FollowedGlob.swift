import Linux
import ReactiveCore
import SignalGraph

/// The files that match a pattern, whose ends are followed.
final class FollowedGlob: Pieceworker {
  /// The most files that are followed by one signal: each takes a descriptor.
  static let greatestCount = 1000

  var watch: FileWatch?
  var isWaiting = false
  var isReader: Bool { true }
  private let pattern: String
  private let tail: FolderTail
  private let log: Log
  private let receive: (GlobEvent) -> Void
  private var hasLooked = false
  private var isOver = false
  /// The last reports of files that cannot be read, so that each is made once.
  private var complaints: [String: FileError] = [:]
  private var hasComplainedOfCount = false

  init(_ pattern: String, log: Log, _ receive: @escaping (GlobEvent) -> Void) {
    self.pattern = pattern
    tail = FolderTail(pattern, limit: Self.greatestCount)
    self.log = log
    self.receive = receive
  }

  func start(from start: GlobStart) {
    tail.start(from: FolderTail.Start(start))
    complain()
  }

  func end() {
    isOver = true
    watch?.cancel()
  }

  /// Something has happened in the folder.
  func note() {
    guard let touched = watch?.takeTouched() else { return }
    tail.note(touched.names, isStale: touched.isStale)
  }

  func doPiece() -> Bool {
    if isOver { return false }
    let hasMore = tail.read(upTo: Piecework.piece) { event in
      if !isOver { receive(GlobEvent(event)) }
    }
    if !hasLooked, !isOver {
      // What was there at the beginning was told with the first piece.
      hasLooked = true
      receive(.looked)
    }
    complain()
    return hasMore
  }

  private func complain() {
    let faults = tail.faults
    for (path, fault) in faults.sorted(by: { $0.key < $1.key }) where complaints[path] != fault {
      log.warning("a file cannot be followed: \(fault)")
    }
    complaints = faults
    if tail.isFull, !hasComplainedOfCount {
      log.warning("\(pattern) stands for more than \(Self.greatestCount) files; no more of them are followed")
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
          (FileTail.Place(device: $0.place.device, inode: $0.place.inode, offset: $0.place.offset), $0.path)
        })
    }
  }
}

extension GlobEvent {
  fileprivate init(_ event: FolderTail.Event) {
    switch event {
    case .began(let place, let path): self = .began(TailPlace(place), path: path)
    case .file(let event, let numbers): self = .tail(TailEvent(event), of: FileNumbers(numbers))
    case .ended(let numbers): self = .ended(FileNumbers(numbers))
    }
  }
}

extension FileNumbers {
  fileprivate init(_ numbers: FolderTail.FileNumbers) { self.init(device: numbers.device, inode: numbers.inode) }
}

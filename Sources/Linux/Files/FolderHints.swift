import Base

/// The names below a watched folder that events have pointed at, until they are looked at.
struct FolderHints {
  /// The maximum number of names; with more, everything is scanned.
  private static let greatest = 10_000

  /// A name with an event.
  struct Hint {
    let folder: WatchedFolder
    let name: ExactText
    var isWritten = false
    var isCreated = false

    fileprivate func merging(_ other: Hint) -> Hint {
      var hint = self
      hint.isWritten = isWritten || other.isWritten
      hint.isCreated = isCreated || other.isCreated
      return hint
    }
  }

  private var pending = FirstInFirstOut<Hint>()
  /// The files being written, by their path, with the time at which they count as written.
  private var open: [ExactText: (hint: Hint, due: MonotonicInstant)] = [:]
  /// The earliest time at which an open file may count as written.
  private(set) var nextDue: MonotonicInstant?

  /// True if there is nothing to look at now.
  var isEmpty: Bool { pending.isEmpty }

  /// Adds a name to be looked at now.
  ///
  /// - Returns: False if there are too many.
  mutating func add(_ hint: Hint) -> Bool {
    if pending.count >= Self.greatest { return false }
    pending.append(hint)
    return true
  }

  /// Removes and returns the next name.
  mutating func next() -> Hint? { pending.popFirst() }

  /// Removes the names to be looked at now; files being written stay.
  mutating func removeAll() { pending = FirstInFirstOut() }

  /// Adds a file to be looked at once nothing has been written for a while.
  ///
  /// - Returns: False if too many files are being written.
  mutating func postpone(_ hint: Hint, _ path: ExactText, until due: MonotonicInstant) -> Bool {
    if let former = open[path] {
      open[path] = (hint.merging(former.hint), due)
    } else if open.count >= Self.greatest {
      return false
    } else {
      open[path] = (hint, due)
    }
    nextDue = nextDue ?? due
    return true
  }

  /// True while a file is being written.
  func isOpen(_ path: ExactText) -> Bool { open[path] != nil }

  /// Removes and returns a file that is being written.
  mutating func close(_ path: ExactText) -> Hint? { open.removeValue(forKey: path)?.hint }

  /// Removes and returns the files that count as written at a time, in the order of their last events.
  mutating func takeWritten(at now: MonotonicInstant) -> [Hint] {
    guard let nextDue, nextDue <= now else { return [] }
    let due = open.filter { $0.value.due <= now }
    for path in due.keys { open[path] = nil }
    self.nextDue = open.values.lazy.map(\.due).min()
    return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.map(\.value.hint)
  }
}

/// The bytes that are committed to a client, which are never dropped, on their way into the kernel.
///
/// As long as the client reads, they are a stretch of the turn's buffer (`run`), which goes to the kernel as it is.
/// Only what the kernel does not take is copied.
struct CommittedBytes {
  /// How many bytes are committed at most; one entry that is larger is committed alone.
  static let most = 65_536

  private var run = 0..<0
  private var copies: [UInt8] = []
  /// How many of the copies have been written.
  private var written = 0
  /// The kernel has no room; wait until it has.
  private(set) var isBlocked = false

  /// How many bytes are still to be written.
  var count: Int { run.count + copies.count - written }
  var isEmpty: Bool { run.isEmpty && written == copies.count }
  /// How many bytes there are, those included that have been written since they were copied.
  @inline(__always) var size: Int { run.count + copies.count }

  /// Appends a stretch of the turn's buffer.
  @inline(__always)
  mutating func append(_ range: Range<Int>, of turn: Turn) {
    if run.upperBound == range.lowerBound && !run.isEmpty {
      run = run.lowerBound..<range.upperBound
    } else if run.isEmpty && copies.isEmpty {
      run = range
    } else {
      copyRun(of: turn)
      copies.append(turn.bytes, range)
    }
  }

  /// Takes over bytes that stand in no turn's buffer; only while it is empty.
  mutating func fill(with bytes: [UInt8]) { copies = bytes }

  /// Drops everything.
  mutating func removeAll() {
    run = 0..<0
    copies = []
    written = 0
  }

  /// What is still to be written, between two turns.
  var rest: ArraySlice<UInt8> { copies[written...] }

  /// Goes on with what another process had still to write.
  mutating func resume(_ bytes: [UInt8], isBlocked: Bool) {
    copies = bytes
    self.isBlocked = isBlocked
  }

  // MARK: Writing

  /// Hands the kernel what it takes, in one write.
  ///
  /// - Returns: `false` if the client is gone.
  mutating func write(to owner: any OutboxOwner, of turn: Turn) -> Bool {
    if !copies.isEmpty {
      copyRun(of: turn)
      return writeCopies(to: owner, turn)
    }
    return run.isEmpty || writeRun(to: owner, turn)
  }

  /// Hands the kernel a stretch of the turn's buffer; only while there is nothing before it.
  ///
  /// - Returns: whether it took all of it, as it does most often; what it has not taken is appended.
  @inline(__always)
  mutating func write(_ range: Range<Int>, to owner: any OutboxOwner, of turn: Turn) -> Bool {
    let count = owner.write(range, of: turn.bytes) ?? 0
    run = range.lowerBound + count..<range.upperBound
    return run.isEmpty
  }

  private mutating func writeRun(to owner: any OutboxOwner, _ turn: Turn) -> Bool {
    guard let count = owner.write(run, of: turn.bytes) else { return false }
    run = run.lowerBound + count..<run.upperBound
    isBlocked = !run.isEmpty
    copyRun(of: turn)
    return true
  }

  private mutating func writeCopies(to owner: any OutboxOwner, _ turn: Turn) -> Bool {
    guard let count = owner.write(written..<copies.count, of: copies) else { return false }
    written += count
    isBlocked = written < copies.count
    if isBlocked {
      // The beginning is cut off only when that is worth a move.
      if written > Self.most {
        copies.removeFirst(written)
        written = 0
      }
      return true
    }
    written = 0
    let empty = copies
    copies = []
    turn.spares.giveBack(empty)
    return true
  }

  private mutating func copyRun(of turn: Turn) {
    if run.isEmpty { return }
    if copies.capacity == 0 { copies = turn.spares.take() }
    copies.append(turn.bytes, run)
    run = 0..<0
  }
}

extension OutboxOwner {
  /// How many bytes of a stretch the kernel took; `nil` if the client is gone.
  @inline(__always)
  fileprivate func write(_ range: Range<Int>, of bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

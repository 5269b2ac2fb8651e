/// The bytes that are committed to a client and never dropped, on their way into the kernel.
///
/// As long as the client reads, they are a range of the iteration buffer (`run`), which goes to the kernel as it is.
/// Only what the kernel does not accept is copied.
struct WriteBuffer {
  /// The most bytes that are committed; a larger entry is committed alone.
  static let most = 65_536

  private var run = 0..<0
  private var copies: [UInt8] = []
  /// The number of copied bytes that have been written.
  private var written = 0
  /// True while the kernel's buffer is full.
  private(set) var isBlocked = false

  /// The number of bytes still to be written.
  var count: Int { run.count + copies.count - written }
  var isEmpty: Bool { run.isEmpty && written == copies.count }
  /// The number of bytes, including those that have been written since they were copied.
  @inline(__always) var size: Int { run.count + copies.count }

  /// Appends a range of the iteration buffer.
  @inline(__always)
  mutating func append(_ range: Range<Int>, of iteration: LoopIteration) {
    if run.upperBound == range.lowerBound && !run.isEmpty {
      run = run.lowerBound..<range.upperBound
    } else if run.isEmpty && copies.isEmpty {
      run = range
    } else {
      copyRun(of: iteration)
      copies.append(iteration.bytes, range)
    }
  }

  /// Adopts bytes outside the iteration buffer; only while it is empty.
  mutating func fill(with bytes: [UInt8]) { copies = bytes }

  /// Drops everything.
  mutating func removeAll() {
    run = 0..<0
    copies = []
    written = 0
  }

  /// The bytes still to be written, between two iterations.
  var rest: ArraySlice<UInt8> { copies[written...] }

  /// Resumes with the unwritten bytes of the process that has handed over.
  mutating func resume(_ bytes: [UInt8], isBlocked: Bool) {
    copies = bytes
    self.isBlocked = isBlocked
  }

  // MARK: Writing

  /// Writes as much as the kernel accepts, in one call.
  ///
  /// - Returns: `false` if the client has disconnected.
  mutating func write(to owner: any SendBufferOwner, of iteration: LoopIteration) -> Bool {
    if !copies.isEmpty {
      copyRun(of: iteration)
      return writeCopies(to: owner, iteration)
    }
    return run.isEmpty || writeRun(to: owner, iteration)
  }

  /// Writes a range of the iteration buffer to the kernel; only while nothing is before it.
  ///
  /// - Returns: `true` if the kernel accepted all of it, the usual case; the rest is appended.
  @inline(__always)
  mutating func write(_ range: Range<Int>, to owner: any SendBufferOwner, of iteration: LoopIteration) -> Bool {
    let count = owner.write(range, of: iteration.bytes) ?? 0
    run = range.lowerBound + count..<range.upperBound
    return run.isEmpty
  }

  private mutating func writeRun(to owner: any SendBufferOwner, _ iteration: LoopIteration) -> Bool {
    guard let count = owner.write(run, of: iteration.bytes) else { return false }
    run = run.lowerBound + count..<run.upperBound
    isBlocked = !run.isEmpty
    copyRun(of: iteration)
    return true
  }

  private mutating func writeCopies(to owner: any SendBufferOwner, _ iteration: LoopIteration) -> Bool {
    guard let count = owner.write(written..<copies.count, of: copies) else { return false }
    written += count
    isBlocked = written < copies.count
    if isBlocked {
      // The beginning is removed only when that is worth a move.
      if written > Self.most {
        copies.removeFirst(written)
        written = 0
      }
      return true
    }
    written = 0
    let empty = copies
    copies = []
    iteration.spares.giveBack(empty)
    return true
  }

  private mutating func copyRun(of iteration: LoopIteration) {
    if run.isEmpty { return }
    if copies.capacity == 0 { copies = iteration.spares.take() }
    copies.append(iteration.bytes, run)
    run = 0..<0
  }
}

extension SendBufferOwner {
  /// Returns the number of bytes that the kernel accepted; `nil` if the client has disconnected.
  @inline(__always)
  fileprivate func write(_ range: Range<Int>, of bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

internal import ClientCore
internal import Glibc
internal import Linux

/// A program that runs beside the loop of a screen and ends with this program, even if that is killed.
final class ProgramRun {
  enum Stream { case output, errors }

  /// Longer lines are split.
  private static let longestLine = 1 << 20

  private var child: ChildProcess
  private var sources: [Stream: EventSource] = [:]
  private var end: EventSource?
  private var lines: [Stream: LineBuffer] = [:]
  private let onLine: (Stream, String) -> Void

  /// - Parameter command: The path of the executable and its arguments.
  init(
    _ command: [String], environment: [String] = CurrentProcess.environmentLines, input: [UInt8] = [],
    onLine: @escaping (Stream, String) -> Void
  ) throws(CommandError) {
    do throws(Errno) {
      child = try ChildProcess(command, environment: environment, input: input, endingBy: SIGTERM)
    } catch {
      throw CommandError(.unreadable, "cannot run \(command[0]): \(error.reason)")
    }
    self.onLine = onLine
  }

  // The loop must not watch a closed descriptor.
  deinit { release() }

  /// Delivers its lines and its end by a loop, as long as this object is retained.
  func follow(_ screen: ScreenLoop, onEnd: @escaping (Linux.ExitStatus) -> Void) throws(CommandError) {
    for (stream, descriptor) in [(Stream.output, child.output.number), (.errors, child.errors.number)] {
      sources[stream] = try screen.addInput(descriptor) { [unowned self] in
        if read(stream) == nil { sources[stream] = nil }
      }
    }
    end = try screen.addInput(child.end.number) { [unowned self, unowned screen] in
      release()
      let status = finish()
      // Its descriptors are closed with it, and only after this handler the loop has forgotten them.
      screen.post { [self] in withExtendedLifetime(self) { onEnd(status) } }
    }
  }

  /// Stops following it.
  private func release() {
    sources = [:]
    end = nil
  }

  /// Waits for a line or the end, at most until a deadline.
  ///
  /// - Returns: The status after the end.
  func wait(until deadline: MonotonicInstant) throws(CommandError) -> Linux.ExitStatus? {
    let ready = try Waiting.wait(
      for: [(child.output.number, .readable), (child.errors.number, .readable), (child.end.number, .readable)],
      until: deadline)
    if ready[2].contains(.readable) { return finish() }
    if ready[0].contains(.readable) { _ = read(.output) }
    if ready[1].contains(.readable) { _ = read(.errors) }
    return nil
  }

  /// Ends it, by SIGKILL after a while.
  func stop() {
    release()
    child.signal(SIGTERM)
    _ = try? child.end.transfer.wait(for: .readable, timeout: Self.patience)
    child.kill()
  }

  private static let patience = Duration.seconds(5)

  /// Ends it at once.
  func kill() {
    release()
    child.kill()
  }

  // MARK: Lines

  /// Reads what is available; returns `false` if nothing is, and `nil` at the end.
  private func read(_ stream: Stream) -> Bool? {
    let descriptor = stream == .output ? child.output.number : child.errors.number
    do throws(Errno) {
      guard let chunk = try Transfer(descriptor).read(upTo: 64 << 10) else { return false }
      if chunk.isEmpty { return nil }
      lines[stream, default: LineBuffer()].append(chunk)
    } catch { return nil }
    while let line = lines[stream]?.next() { report(line, of: stream) }
    if lines[stream]?.count ?? 0 > Self.longestLine { reportRest(of: stream) }
    return true
  }

  /// Reports the unfinished line of a stream.
  private func reportRest(of stream: Stream) {
    if let line = lines[stream]?.rest() { report(line, of: stream) }
  }

  private func report(_ line: ArraySlice<UInt8>, of stream: Stream) {
    onLine(stream, String(decoding: line, as: UTF8.self))
  }

  /// Delivers the rest, and returns the status.
  private func finish() -> Linux.ExitStatus {
    while read(.output) == true {}
    while read(.errors) == true {}
    for stream in [Stream.output, .errors] { reportRest(of: stream) }
    return (try? child.reap()) ?? .killed(SIGKILL)
  }
}

extension Linux.ExitStatus {
  /// The end in words: `exited with status 78`.
  var words: String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .killed(SIGKILL): "killed by SIGKILL"
    case .killed(let signal): "killed by signal \(signal)"
    }
  }
}

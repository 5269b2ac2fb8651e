internal import Glibc
internal import Linux

/// The loop of a full-screen terminal program, until the user ends it.
///
/// The screen is redrawn when its size changes and when the program continues after it was stopped; it is restored
/// while the program is stopped. A failure of a handler ends the loop, which throws it.
final class ScreenLoop {
  private let output: Output
  private let loop: EventLoop
  private let screen: TerminalScreen
  private let lines: () -> [String]
  private var sources: [AnyObject] = []

  /// - Parameters:
  ///   - lines: Returns the lines to show, which fit the terminal; empty while there is nothing to show yet.
  ///   - press: Handles a key, and returns `true` to end the loop.
  init(_ output: Output, lines: @escaping () -> [String], press: @escaping (Key) -> Bool) throws(CommandError) {
    self.output = output
    self.lines = lines
    do throws(Errno) { loop = try EventLoop() } catch { throw CommandError(.internal, "\(error)") }
    screen = TerminalScreen(output)
    do throws(Errno) { try attach(press) } catch { throw CommandError(.internal, "\(error)") }
  }

  /// The size of the terminal.
  static var size: (rows: Int, columns: Int) { Terminal.size ?? (rows: 24, columns: 80) }

  func draw() {
    let lines = lines()
    if !lines.isEmpty { screen.draw(lines) }
  }

  func run() throws(CommandError) {
    do { _ = try loop.run() } catch {
      throw error as? CommandError ?? CommandError(.internal, "\(error)")
    }
  }

  /// Calls a function at the end of this iteration.
  func post(_ work: @escaping () -> Void) { loop.post(work) }

  /// Calls a handler when a descriptor is readable, as long as the result is retained.
  func addInput(_ descriptor: Int32, _ work: @escaping () throws -> Void) throws(CommandError) -> EventSource {
    do throws(Errno) { return try loop.addInput(descriptor, failing(work)) } catch {
      throw CommandError(.internal, "\(error)")
    }
  }

  func addTimer(_ work: @escaping () throws -> Void) throws(CommandError) -> LoopTimer {
    do throws(Errno) { return try loop.addTimer(failing(work)) } catch { throw CommandError(.internal, "\(error)") }
  }

  /// Adds the watcher of files, at most one, which works as long as the loop is retained.
  func addFileWatcher() throws(CommandError) -> FileWatcher {
    do throws(Errno) {
      let poller = try Poller()
      sources += [poller, try poller.attach(to: loop)]
      return try FileWatcher(poller)
    } catch { throw CommandError(.internal, "\(error)") }
  }

  private func failing(_ work: @escaping () throws -> Void) -> () -> Void {
    { [unowned loop] in do { try work() } catch { loop.fail(error) } }
  }

  private func attach(_ press: @escaping (Key) -> Bool) throws(Errno) {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      sources.append(try loop.addSignal(number) { [unowned loop] in loop.stop() })
    }
    sources.append(try loop.addSignal(SIGWINCH) { [unowned self] in draw() })
    // The terminal is restored for the shell while this program is stopped.
    sources.append(
      try loop.addSignal(SIGTSTP) { [screen] in
        screen.leave()
        raise(SIGSTOP)
      })
    sources.append(
      try loop.addSignal(SIGCONT) { [unowned self] in
        screen.enter()
        draw()
      })
    if screen.hasKeys {
      sources.append(
        try loop.addInput(StandardStream.input.rawValue) { [unowned self] in
          if Self.pressed()?.contains(where: press) ?? true { loop.stop() } else { draw() }
        })
    }
    loop.iterationEnded = failing { [output] in try output.flush() }
  }

  /// Returns the pressed keys; `nil` at the end of the input.
  private static func pressed() -> [Key]? {
    do throws(Errno) {
      let bytes = try Transfer(StandardStream.input.rawValue).read(upTo: 4096)
      return bytes?.isEmpty == true ? nil : Key.pressed(bytes ?? [])
    } catch { return nil }
  }
}

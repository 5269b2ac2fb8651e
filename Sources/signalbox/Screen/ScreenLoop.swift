internal import Glibc
internal import Linux

/// A loop that shows something on the whole screen of a terminal until the person there ends it.
///
/// The screen is drawn anew when its size changes and when the program goes on after it was stopped, and given back in
/// between. A failure of a handler ends the loop, which throws it.
final class ScreenLoop {
  private let output: Output
  private let loop: EventLoop
  private let screen: TerminalScreen
  private let lines: () -> [String]
  private var sources: [AnyObject] = []

  /// - Parameters:
  ///   - lines: Makes the lines to show, which fit the terminal; none while there is nothing to show yet.
  ///   - press: Carries out a key, and says whether it ends the loop.
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

  /// Calls a handler when there is something to read, until what is returned is gone.
  func addInput(_ descriptor: Int32, _ work: @escaping () throws -> Void) throws(CommandError) -> EventSource {
    do throws(Errno) { return try loop.addInput(descriptor, failing(work)) } catch {
      throw CommandError(.internal, "\(error)")
    }
  }

  func addTimer(_ work: @escaping () throws -> Void) throws(CommandError) -> LoopTimer {
    do throws(Errno) { return try loop.addTimer(failing(work)) } catch { throw CommandError(.internal, "\(error)") }
  }

  private func failing(_ work: @escaping () throws -> Void) -> () -> Void {
    { [unowned loop] in do { try work() } catch { loop.fail(error) } }
  }

  private func attach(_ press: @escaping (Key) -> Bool) throws(Errno) {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      sources.append(try loop.addSignal(number) { [unowned loop] in loop.stop() })
    }
    sources.append(try loop.addSignal(SIGWINCH) { [unowned self] in draw() })
    // The person there has the terminal to themselves while this is stopped.
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
          if Self.pressed().contains(where: press) { loop.stop() } else { draw() }
        })
    }
    loop.turnEnded = failing { [output] in try output.flush() }
  }

  /// The keys that were pressed; that which ends a program, if there is nobody any more to press one.
  private static func pressed() -> [Key] {
    guard let bytes = try? Transfer(StandardStream.input.rawValue).readChunk() else { return [.character("q")] }
    return Key.pressed(bytes)
  }
}

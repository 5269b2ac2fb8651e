import Glibc
import Linux

/// The program that is to replace this one, which is first asked whether it accepts the state.
package final class SuccessorProgram {
  /// The longest time for its answer.
  private static let patience = Duration.seconds(10)
  /// The most bytes of its reason to read.
  private static let longestReason = 65_536

  private var child: ChildProcess
  private var handler: PollHandler?
  private var timer: IterationTimer?
  private let clock: IterationClock
  private let decide: (String?) -> Void

  /// The option that asks a program, with a version of `HandoverFile` as its argument.
  package static let option = "takes-over"

  /// Asks the program on disk.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of this process, also for the new one.
  ///   - decide: Called later and once: with `nil` if it accepts, otherwise with its reason.
  init(
    _ arguments: [String], poller: Poller, clock: IterationClock, decide: @escaping (String?) -> Void
  ) throws(Errno) {
    self.clock = clock
    self.decide = decide
    child = try ChildProcess(
      [CurrentProcess.programPath, "--\(Self.option)", "\(HandoverFile.version)"] + arguments,
      environment: CurrentProcess.environmentOfChildren, input: [])
    handler = try PollHandler(poller, readable: child.end.number) { [unowned self] in ended() }
    timer = clock.schedule(after: Self.patience) { [unowned self] in
      timer = nil
      finish("no response within 10 s")
    }
  }

  private func ended() {
    let reasons = (try? child.errors.transfer.read(upTo: Self.longestReason)) ?? []
    do throws(Errno) {
      switch try child.reap() {
      case nil: return
      case .exited(0): finish(nil)
      case .exited(let status): finish(text(reasons) ?? "exited with status \(status)")
      case .killed(let number): finish("killed by signal \(number)")
      }
    } catch {
      finish("\(error)")
    }
  }

  private func text(_ bytes: [UInt8]?) -> String? {
    let text = String(decoding: bytes ?? [], as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? nil : String(text.drop(while: \.isWhitespace))
  }

  private func finish(_ reason: String?) {
    handler = nil
    if let timer { clock.cancel(timer) }
    timer = nil
    child.kill()
    decide(reason)
  }
}

import Glibc
import Linux

/// The program that is to take the place of this one, which is asked first whether it can.
package final class Successor {
  /// How long it may think.
  private static let patience = Duration.seconds(10)
  /// How much of its reasons is read.
  private static let longestReason = 65_536

  private var child: ChildProcess
  private var handler: PollHandler?
  private var timer: TurnTimer?
  private let clock: TurnClock
  private let decide: (String?) -> Void

  /// The option by which a program is asked, with a version of `HandoverFile` as its argument.
  package static let option = "takes-over"

  /// Asks the program on disk.
  ///
  /// - Parameters:
  ///   - arguments: Those of this process, with which it is to run.
  ///   - decide: Called later and once: with `nil` if it can, else with its reasons.
  init(
    _ arguments: [String], poller: Poller, clock: TurnClock, decide: @escaping (String?) -> Void
  ) throws(Errno) {
    self.clock = clock
    self.decide = decide
    child = try ChildProcess(
      [CurrentProcess.programPath, "--\(Self.option)", "\(HandoverFile.version)"] + arguments,
      environment: CurrentProcess.environmentLines.filter { !$0.hasPrefix("NOTIFY_SOCKET=") }, input: [])
    handler = try PollHandler(poller, readable: child.end.number) { [unowned self] in ended() }
    timer = clock.schedule(after: Self.patience) { [unowned self] in
      timer = nil
      finish("it has not said within 10 s whether it can")
    }
  }

  private func ended() {
    let reasons = (try? child.errors.transfer.read(upTo: Self.longestReason)) ?? []
    do throws(Errno) {
      switch try child.reap() {
      case nil: return
      case .exited(0): finish(nil)
      case .exited(let status): finish(text(reasons) ?? "it ends with status \(status)")
      case .killed(let number): finish("it was ended by signal \(number)")
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

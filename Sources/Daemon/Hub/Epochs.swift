import SignalGraph

/// The epochs in which the numbers of signals count without a break.
final class Epochs {
  /// The epoch of this run of the daemon.
  private(set) var process = Epochs.makeName()
  /// The epoch of the folder with the state of durable graphs, once that is open.
  var folder: String?

  /// The epoch of a signal: the numbers of a durable one outlive the daemon.
  func epoch(of signal: SignalDeclaration) -> String { signal.isDurable ? folder ?? process : process }

  /// Goes on with the epoch of the process whose work this one goes on with.
  func adopt(process name: String) { process = name }

  private static func makeName() -> String {
    let number = UInt64.random(in: .min ... .max)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

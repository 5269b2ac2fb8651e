/// The epochs that sequence numbers count in without a break.
final class Epochs {
  /// The epoch of this run of the daemon.
  private(set) var process = Epochs.makeName()
  /// The epoch of the state folder of durable graphs, once that is open.
  var folder: String?

  /// Returns the epoch of a signal: the numbers of a durable one outlive the daemon.
  func epoch(isDurable: Bool) -> String { isDurable ? folder ?? process : process }

  /// Continues the epoch of the process that has handed over.
  func adopt(process name: String) { process = name }

  private static func makeName() -> String {
    let number = UInt64.random(in: .min ... .max)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

import GraphModel

/// The epochs that sequence numbers count in without a break.
final class Epochs {
  /// The epoch of this run of the daemon.
  private(set) var process = Epochs.makeName()
  /// The epochs of the state logs of durable graphs that have been opened.
  var homes: [Home: String] = [:]

  /// Returns the epoch of the signals of a home, whose numbers outlive the daemon, or of ordinary ones.
  func epoch(of home: Home?) -> String { home.flatMap { homes[$0] } ?? process }

  /// Continues the epoch of the process that has handed over.
  func adopt(process name: String) { process = name }

  /// Returns 16 random hexadecimal digits.
  static func makeName() -> String {
    let number = UInt64.random(in: .min ... .max)
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

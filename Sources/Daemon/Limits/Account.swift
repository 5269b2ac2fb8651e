import GraphModel
import Linux
import WireProtocol

/// The memory held for the clients of one user, and that user's limits.
final class Account {
  let userID: UInt32
  private(set) var connections = 0
  /// The number of its connections, including disconnected ones with input that is still to be handled.
  private var users = 0
  private(set) var heldBytes = 0
  private(set) var subscriptions = 0
  let sends: SendMeter
  /// The budget for conditions and encodings of its subscriptions.
  var work = WorkBudget()
  private unowned let ledger: Ledger

  init(userID: UInt32, ledger: Ledger) {
    self.userID = userID
    self.ledger = ledger
    sends = SendMeter(rate: ledger.limits.user.sends)
  }

  var isExhausted: Bool { heldBytes > ledger.limits.user.memory }
  /// True if one more connection is within the user's limit.
  var admitsConnection: Bool { connections < ledger.limits.user.connections }

  /// Counts a subscription and its memory, or throws the limit that it would exceed.
  func addSubscription(_ bytes: Int) throws(WireError) {
    let limits = ledger.limits
    if subscriptions >= limits.user.subscriptions {
      throw WireError(
        .tooMany, "more than \(limits.user.subscriptions) subscriptions of one user (limits.user.subscriptions)")
    }
    if ledger.subscriptions >= limits.subscriptions {
      throw WireError(.tooMany, "more than \(limits.subscriptions) subscriptions (limits.subscriptions)")
    }
    if !makeSpace(for: bytes) {
      throw WireError(.tooMany, "memory limit of this user reached (limits.user.memory)")
    }
    if ledger.heldBytes + bytes > limits.memory {
      throw WireError(.tooMany, "memory limit of all clients reached (limits.memory)")
    }
    charge(bytes)
    subscriptions += 1
    ledger.subscriptions += 1
  }

  /// Counts a subscription from a handover, regardless of the limits.
  func adoptSubscription(_ bytes: Int) {
    charge(bytes)
    subscriptions += 1
    ledger.subscriptions += 1
  }

  func removeSubscription(_ bytes: Int) {
    charge(-bytes)
    subscriptions -= 1
    ledger.subscriptions -= 1
  }

  func opened() {
    connections += 1
    users += 1
  }

  /// Adds a use of the account that is not a connection.
  func joined() { users += 1 }

  /// Notes that a client has disconnected, which frees its connection.
  func left() { connections -= 1 }

  /// Ends the use by a client, once nothing of it remains.
  func closed() {
    users -= 1
    if isIdle(at: .now()) { ledger.remove(self) }
  }

  /// True while the account is unused and equal to a new one: the user's rate of sending has recovered completely.
  func isIdle(at now: MonotonicInstant) -> Bool { users == 0 && sends.isFull(at: now) }

  /// Drops events from the largest queue of the user's clients until a number of bytes fits into the user's memory.
  ///
  /// - Returns: `false` if nothing is left to drop.
  func makeSpace(for bytes: Int) -> Bool {
    let most = ledger.limits.user.memory
    while heldBytes + bytes > most {
      guard let largest = ledger.largestQueue(self) else { return false }
      let before = heldBytes
      largest.shed(max(Self.leastShed, heldBytes + bytes - most))
      if heldBytes >= before { return false }
    }
    return true
  }

  /// The fewest bytes that a queue drops at a time, since finding it takes a look at all clients.
  private static let leastShed = 64 << 10

  func charge(_ bytes: Int) {
    heldBytes += bytes
    ledger.heldBytes += bytes
  }
}

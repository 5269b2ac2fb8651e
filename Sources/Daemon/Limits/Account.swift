import Linux
import SignalGraph
import WireProtocol

/// The memory that the clients of one user make the daemon hold, against that user's limits.
final class Account {
  let userID: UInt32
  private(set) var connections = 0
  /// Its connections, and those whose clients have left lines behind that are still to be carried out.
  private var users = 0
  private(set) var heldBytes = 0
  private(set) var subscriptions = 0
  let sends: SendMeter
  private unowned let ledger: Ledger

  init(userID: UInt32, ledger: Ledger) {
    self.userID = userID
    self.ledger = ledger
    sends = SendMeter(rate: ledger.limits.user.sends)
  }

  var isExhausted: Bool { heldBytes > ledger.limits.user.memory }
  /// Whether one more connection is within the user's limit.
  var admitsConnection: Bool { connections < ledger.limits.user.connections }

  /// Counts one subscription more and what is held for it, or says which limit it would pass.
  func addSubscription(_ bytes: Int) throws(WireError) {
    let limits = ledger.limits
    if subscriptions >= limits.user.subscriptions {
      throw WireError(
        .tooMany, "more than \(limits.user.subscriptions) subscriptions of one user (limits.user.subscriptions)")
    }
    if ledger.subscriptions >= limits.subscriptions {
      throw WireError(.tooMany, "more than \(limits.subscriptions) subscriptions (limits.subscriptions)")
    }
    if heldBytes + bytes > limits.user.memory {
      throw WireError(.tooMany, "the daemon holds as much for this user as it may (limits.user.memory)")
    }
    if ledger.heldBytes + bytes > limits.memory {
      throw WireError(.tooMany, "the daemon holds as much for its clients as it may (limits.memory)")
    }
    charge(bytes)
    subscriptions += 1
    ledger.subscriptions += 1
  }

  /// Counts one that was held for it by another process, whatever the limits.
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

  /// Somebody uses it who is no connection.
  func joined() { users += 1 }

  /// A client has gone, and its place is free.
  func left() { connections -= 1 }

  /// Nothing is left of a client that has gone.
  func closed() {
    users -= 1
    if isIdle(at: .now()) { ledger.forget(self) }
  }

  /// Whether nobody uses it, and a new one would be like it: nothing is held against the user's rate of sending.
  func isIdle(at now: MonotonicInstant) -> Bool { users == 0 && sends.isFull(at: now) }

  func charge(_ bytes: Int) {
    heldBytes += bytes
    ledger.heldBytes += bytes
  }
}

import SignalGraph
import WireProtocol

/// What the clients of one user make the daemon hold, against that user's limits.
final class Account {
  let userID: UInt32
  private(set) var connections = 0
  private(set) var heldBytes = 0
  private(set) var subscriptions = 0
  var sends: SendMeter
  private unowned let ledger: Ledger

  init(userID: UInt32, ledger: Ledger) {
    self.userID = userID
    self.ledger = ledger
    sends = SendMeter(rate: ledger.limits.user.sends)
  }

  var isExhausted: Bool { heldBytes > ledger.limits.user.memory }
  /// Whether one more connection is within the user's limit.
  var admitsConnection: Bool { connections < ledger.limits.user.connections }

  /// Counts one subscription more, or says which limit it would pass.
  func addSubscription() throws(WireError) {
    let limits = ledger.limits
    if subscriptions >= limits.user.subscriptions {
      throw WireError(
        .tooMany, "more than \(limits.user.subscriptions) subscriptions of one user (limits.user.subscriptions)")
    }
    if ledger.subscriptions >= limits.subscriptions {
      throw WireError(.tooMany, "more than \(limits.subscriptions) subscriptions (limits.subscriptions)")
    }
    subscriptions += 1
    ledger.subscriptions += 1
  }

  func removeSubscription() {
    subscriptions -= 1
    ledger.subscriptions -= 1
  }

  func opened() { connections += 1 }

  func closed() {
    connections -= 1
    if connections == 0 { ledger.forget(self) }
  }

  func charge(_ bytes: Int) {
    heldBytes += bytes
    ledger.heldBytes += bytes
  }
}

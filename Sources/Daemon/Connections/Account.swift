import SignalGraph

/// What the clients of one user make the daemon hold, against that user's limits.
final class Account {
  let userID: UInt32
  private(set) var connections = 0
  private(set) var heldBytes = 0
  private unowned let ledger: Ledger

  init(userID: UInt32, ledger: Ledger) {
    self.userID = userID
    self.ledger = ledger
  }

  var isExhausted: Bool { heldBytes > ledger.limits.user.memory }
  /// Whether one more connection is within the user's limit.
  var admitsConnection: Bool { connections < ledger.limits.user.connections }

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

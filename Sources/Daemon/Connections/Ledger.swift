import SignalGraph

/// The accounts of all users, and what is held for all of them together.
final class Ledger {
  var limits: Limits {
    didSet {
      for account in accounts.values { account.sends.set(rate: limits.user.sends) }
    }
  }
  var heldBytes = 0
  var subscriptions = 0
  private var accounts: [UInt32: Account] = [:]

  init(limits: Limits) { self.limits = limits }

  /// Whether the daemon holds more than `limits.memory` allows.
  var isExhausted: Bool { heldBytes > limits.memory }

  func account(ofUser userID: UInt32) -> Account {
    if let account = accounts[userID] { return account }
    let account = Account(userID: userID, ledger: self)
    accounts[userID] = account
    return account
  }

  func forget(_ account: Account) { accounts[account.userID] = nil }
}

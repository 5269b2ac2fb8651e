import Linux
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

  func account(ofUser userID: UInt32, at now: MonotonicInstant = .now()) -> Account {
    if let account = accounts[userID] { return account }
    forgetIdle(at: now)
    let account = Account(userID: userID, ledger: self)
    accounts[userID] = account
    return account
  }

  func forget(_ account: Account) { accounts[account.userID] = nil }

  /// How many users there are of whom something is known.
  var userCount: Int { accounts.count }

  /// The greatest of what the users have each.
  func greatest(_ amount: (Account) -> Int) -> Int { accounts.values.lazy.map(amount).max() ?? 0 }

  private func forgetIdle(at now: MonotonicInstant) {
    accounts = accounts.filter { !$0.value.isIdle(at: now) }
  }
}

import Linux
import ReactiveCore
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

// MARK: - Handing over

extension Ledger {
  /// Writes down how far users are ahead of their rates; what is held for them follows from what their clients have.
  func store(in writer: inout StateWriter) {
    let users = accounts.values.sorted { $0.userID < $1.userID }
    writer.count(users.count)
    for user in users {
      Int(user.userID).store(in: &writer)
      user.sends.store(in: &writer)
    }
  }

  func restore(from reader: inout StateReader, at now: MonotonicInstant) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let user = UInt32(truncatingIfNeeded: try Int(from: &reader))
      try account(ofUser: user, at: now).sends.restore(from: &reader)
    }
  }
}

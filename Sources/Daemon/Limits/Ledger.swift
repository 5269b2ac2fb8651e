import GraphModel
import Linux
import Signals

/// The accounts of all users, and their totals.
final class Ledger {
  var limits: Limits {
    didSet {
      for account in accounts.values { account.sends.set(rate: limits.user.sends) }
    }
  }
  var heldBytes = 0
  var subscriptions = 0
  private var accounts: [UInt32: Account] = [:]
  /// Finds the client of a user whose queue holds the most droppable bytes.
  var largestQueue: (Account) -> (any SheddingQueue)? = { _ in nil }

  init(limits: Limits) { self.limits = limits }

  /// True while the daemon holds more than `limits.memory` allows.
  var isExhausted: Bool { heldBytes > limits.memory }

  func account(ofUser userID: UInt32, at now: MonotonicInstant = .now()) -> Account {
    if let account = accounts[userID] { return account }
    removeIdle(at: now)
    let account = Account(userID: userID, ledger: self)
    accounts[userID] = account
    return account
  }

  func remove(_ account: Account) { accounts[account.userID] = nil }

  /// The number of users with an account.
  var userCount: Int { accounts.count }

  /// Returns the highest amount of any user.
  func greatest(_ amount: (Account) -> Int) -> Int { accounts.values.lazy.map(amount).max() ?? 0 }

  private func removeIdle(at now: MonotonicInstant) {
    accounts = accounts.filter { !$0.value.isIdle(at: now) }
  }
}

// MARK: - Handover

extension Ledger {
  /// Encodes the users' rates of sending; the memory held for them follows from their clients.
  func encode(to writer: inout StateEncoder) {
    let users = accounts.values.sorted { $0.userID < $1.userID }
    writer.count(users.count)
    for user in users {
      Int(user.userID).encode(to: &writer)
      user.sends.encode(to: &writer)
    }
  }

  func restore(from reader: inout StateDecoder, at now: MonotonicInstant) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let user = UInt32(truncatingIfNeeded: try Int(from: &reader))
      try account(ofUser: user, at: now).sends.restore(from: &reader)
    }
  }
}

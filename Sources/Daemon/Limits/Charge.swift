/// The bytes held for one purpose, as charged to a user's account.
struct Charge {
  let account: Account
  private(set) var bytes = 0

  init(to account: Account) { self.account = account }

  /// Updates the charge to the account.
  @inline(__always)
  mutating func update(to held: Int) {
    if held == bytes { return }
    account.charge(held - bytes)
    bytes = held
  }
}

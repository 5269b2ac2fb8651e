/// The bytes held for one purpose, as far as a user's account has been charged with them.
struct Charge {
  let account: Account
  private(set) var bytes = 0

  init(to account: Account) { self.account = account }

  /// Brings the account up to date.
  @inline(__always)
  mutating func update(to held: Int) {
    if held == bytes { return }
    account.charge(held - bytes)
    bytes = held
  }
}

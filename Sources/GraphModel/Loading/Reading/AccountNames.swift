import Base

/// The users and groups in access rules; each is looked up once, since a lookup may query a directory server.
final class AccountNames {
  /// A user or a group, by its name.
  enum Account: Hashable {
    case user(ExactText)
    case group(ExactText)
  }

  private let problems: Problems
  private let inputs: ConfigurationInputs
  private var known: [Account: Bool] = [:]

  init(_ problems: Problems, _ inputs: ConfigurationInputs) {
    self.problems = problems
    self.inputs = inputs
  }

  /// Warns about an unknown name at the first rule that contains it.
  func warn(of account: Account, at node: ConfigNode) {
    guard known[account] == nil else { return }
    let isKnown =
      switch account {
      case .user(let name): inputs.hasUser(name.text)
      case .group(let name): inputs.hasGroup(name.text)
      }
    known[account] = isKnown
    if isKnown { return }
    problems.warning(
      "unknown user or group \(node.scalar?.text ?? ""): this rule matches no client", at: node)
  }
}

/// The users and groups that access rules name: each is looked up once, since that may take a directory server.
final class AccountNames {
  private let problems: Problems
  private let inputs: ConfigurationInputs
  private var known: [Principal: Bool] = [:]

  init(_ problems: Problems, _ inputs: ConfigurationInputs) {
    self.problems = problems
    self.inputs = inputs
  }

  /// Warns of a name that nobody has, at the first rule that names it.
  func warn(of principal: Principal, at node: ConfigNode) {
    guard known[principal] == nil else { return }
    let isKnown =
      switch principal {
      case .user(let name): inputs.hasUser(name)
      case .group(let name): inputs.hasGroup(name)
      case .userID, .groupID: true
      }
    known[principal] = isKnown
    if isKnown { return }
    problems.warning(
      "nobody on this machine is called \(node.scalar?.text ?? ""), whom this rule names: it matches nobody", at: node)
  }
}

import Base

/// The rights to a signal; an absent key leaves that right to every client that may open the socket.
package struct AccessRules: Equatable, Sendable {
  package var send: [Principal]?
  package var subscribe: [Principal]?
  package var call: [Principal]?

  private static let keys = ["send", "subscribe", "call"]

  package init() {}

  /// Reads `{send, subscribe, call}`, each a list of names.
  package init(_ node: ConfigNode, _ context: ReadingContext) {
    guard let given = node.entries else {
      context.problems.error("access must map send, subscribe and call to lists of users and groups", at: node)
      return
    }
    for entry in context.problems.entries(given, named: Self.keys, as: "key of access") {
      switch entry.name {
      case "send": send = Principal.list(entry.value, context)
      case "subscribe": subscribe = Principal.list(entry.value, context)
      case "call": call = Principal.list(entry.value, context)
      default: break
      }
    }
  }

  /// Returns these rules, with absent keys taken from `defaults`.
  package func over(_ defaults: AccessRules) -> AccessRules {
    var rules = self
    rules.send = send ?? defaults.send
    rules.subscribe = subscribe ?? defaults.subscribe
    rules.call = call ?? defaults.call
    return rules
  }
}

/// A user or group that a rule names; the daemon looks up the ids.
package enum Principal: Hashable, Sendable {
  case user(String)
  case group(String)
  case userID(UInt32)
  case groupID(UInt32)

  init?(_ text: String) {
    if text.hasPrefix("@") {
      self = .group(String(text.dropFirst()))
    } else if text.hasPrefix("uid:") {
      guard let id = UInt32(text.dropFirst(4)) else { return nil }
      self = .userID(id)
    } else if text.hasPrefix("gid:") {
      guard let id = UInt32(text.dropFirst(4)) else { return nil }
      self = .groupID(id)
    } else {
      self = .user(text)
    }
    if case .user("") = self { return nil }
    if case .group("") = self { return nil }
  }
}

// The machine's accounts are found by the bytes of their names.
extension Principal {
  package static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.user(let one), .user(let other)), (.group(let one), .group(let other)): one.hasSameBytes(as: other)
    case (.userID(let one), .userID(let other)), (.groupID(let one), .groupID(let other)): one == other
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .user(let name), .group(let name): name.hashBytes(into: &hasher)
    case .userID(let id), .groupID(let id): hasher.combine(id)
    }
  }
}

extension Principal {
  /// The account that it names; `nil` for a number.
  private var account: AccountNames.Account? {
    switch self {
    case .user(let name): .user(ExactText(name))
    case .group(let name): .group(ExactText(name))
    case .userID, .groupID: nil
    }
  }

  /// Reads a list of names.
  static func list(_ node: ConfigNode, _ context: ReadingContext) -> [Principal] {
    guard let elements = node.elements else {
      context.problems.error("expected a list of names, \"@group\", \"uid:N\" or \"gid:N\"", at: node)
      return []
    }
    return elements.compactMap { element in
      guard let text = context.reader(element).string() else { return nil }
      if let principal = Principal(text) {
        if let account = principal.account { context.names.warn(of: account, at: element) }
        return principal
      }
      context.problems.error("\"\(text)\" is not a user, \"@group\", \"uid:N\" or \"gid:N\"", at: element)
      return nil
    }
  }
}

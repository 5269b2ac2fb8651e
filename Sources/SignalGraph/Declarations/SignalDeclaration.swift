package import JSON

/// One signal of a graph, read and found right.
package final class SignalDeclaration: Sendable {
  /// `graph.signal`.
  package let name: String
  let body: SignalBody
  private let sharedTraits: Shared<SignalTraits>
  /// The declaration as JSON: as in the file, and as a reload compares it.
  private let written: DeclarationText
  /// Where it is declared; `nil` for those of the daemon's own.
  package let place: DeclarationPlace?
  /// Whether its state outlives the daemon.
  ///
  /// In a durable graph that is every signal but those of actions, whose programs end with the daemon, and cold ones,
  /// whose runs end with their subscribers.
  package let isDurable: Bool

  init(
    name: String, body: SignalBody, traits: Shared<SignalTraits>, written: DeclarationText,
    at place: DeclarationPlace? = nil, inDurableGraph: Bool = false
  ) {
    self.name = name
    self.body = body
    sharedTraits = traits
    self.written = written
    self.place = place
    isDurable = inDurableGraph && traits.value.run != .cold
  }

  /// A signal of the daemon's own graph.
  static func own(_ name: String, _ documentation: String) -> SignalDeclaration {
    var traits = SignalTraits()
    traits.documentation = documentation
    traits.access.subscribe = []
    traits.access.send = []
    let never = BuiltInSource(
      name: "never", kind: .source, isHeld: false, references: [], ranks: Ranks(entry: 0, exit: 0)
    ) {
      $0.generate([], then: nil)
    }
    return SignalDeclaration(
      name: name, body: SignalBody(source: never, pipe: [], onError: nil), traits: Shared(traits),
      written: DeclarationText(declared: .object(JSONObject()), compared: .null))
  }

  package var kind: SignalKind { body.source.kind }
  /// Whether it is the signal of an action's `enabled_if`, of which only pipes that call the action know.
  package var isCondition: Bool { kind == .action && traits.isPrivate }
  package var traits: SignalTraits { sharedTraits.value }

  /// The declaration as the file says it, `${…}` unexpanded, for `describe`.
  package var text: JSONValue { written.declared }

  /// The declaration as a reload compares it: `${…}` replaced, without the keys that apply in place.
  var fingerprint: Fingerprint { Fingerprint(text: written.compared, isDurable: isDurable) }

  /// Everything of a signal's own that decides whether its state may be kept.
  struct Fingerprint: Equatable {
    fileprivate let text: String
    fileprivate let isDurable: Bool
  }

  /// The named signals that it is computed from, in the order in which they are named.
  package var upstream: [String] {
    var names: [String] = []
    for name in body.references.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return names
  }

  /// The named signals that its pipes send values to.
  package var targets: [String] { body.targets }
}

/// A declaration kept as text, which takes a fraction of the room of its values.
enum DeclarationText: Sendable {
  /// One in which nothing is replaced or applied in place.
  case plain(String)
  indirect case expanded(declared: String, compared: String)

  /// That of a signal of which the file says nothing.
  static let absent = DeclarationText(declared: .null, compared: nil)

  /// - Parameter compared: `nil` where it is known to be the same.
  init(declared: JSONValue, compared: JSONValue?) {
    let text = declared.description
    if let other = compared?.description, other != text {
      self = .expanded(declared: text, compared: other)
    } else {
      self = .plain(text)
    }
  }

  var compared: String {
    switch self {
    case .plain(let text), .expanded(_, let text): text
    }
  }

  var declared: JSONValue {
    switch self {
    case .plain(let text), .expanded(let text, _): RawJSON(validated: Array(text.utf8)).value
    }
  }
}

/// A value that many hold, once.
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The traits of a signal beside its computation.
package struct SignalTraits: Sendable {
  /// The rule for when the signal is computed, and how often.
  package enum RunPolicy: Sendable {
    /// Once, always.
    case always
    /// Once, while it has subscribers.
    case lazy
    /// For each subscriber by itself.
    case cold
  }

  package var documentation: String?
  package var unit: String?
  /// Not visible to clients.
  package var isPrivate = false
  /// Whether it is an object on the daemon's message bus.
  package var isOnBus = false
  package var access = AccessRules()
  package var run = RunPolicy.always
  /// Whether subscribers may ask for `overflow: block`.
  package var hasBackpressure = false
  /// The values that a new subscriber is given.
  var retention = RetentionPolicy()
  /// A value that is held from the start.
  var initial: JSONValue?

  init(access: AccessRules = AccessRules()) { self.access = access }
}

/// The treatment of a value that one of a signal's expressions refuses.
enum ErrorPolicy: String, WordParameter {
  /// Leave it out, count it and report it.
  case drop
  /// Emit `{"error":{code,message}}` in its place.
  case emit
  /// Fail, as RAC does.
  case fail
}

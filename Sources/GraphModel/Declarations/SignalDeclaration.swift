import Base
package import JSON

/// A validated signal of a graph.
package final class SignalDeclaration: Sendable {
  /// `graph.signal`.
  package let name: String
  package let body: SignalBody
  private let sharedTraits: Shared<SignalTraits>
  /// The declaration as JSON: as in the file, and as a reload compares it.
  package let written: DeclarationText
  /// The place of the declaration; `nil` for the daemon's own signals.
  package let place: DeclarationPlace?
  /// The home of its state; `nil` if that ends with the daemon.
  ///
  /// In a durable graph every signal has one except those of actions, whose programs end with the daemon, and cold ones,
  /// whose runs end with their subscribers.
  package let home: Home?

  /// - Parameter home: The home of its graph, if that is durable.
  package init(
    name: String, body: SignalBody, traits: Shared<SignalTraits>, written: DeclarationText,
    at place: DeclarationPlace? = nil, in home: Home? = nil
  ) {
    self.name = name
    self.body = body
    sharedTraits = traits
    self.written = written
    self.place = place
    self.home = traits.value.run == .cold ? nil : home
  }

  /// True if its state outlives the daemon.
  package var isDurable: Bool { home != nil }
  package var kind: SignalKind { body.source.kind }
  /// True for the signal of an action's `enabled_if`, visible only to the pipes that call the action.
  package var isCondition: Bool { kind == .action && traits.isPrivate }
  package var traits: SignalTraits { sharedTraits.value }
  /// True if its traits, which are not copied for this, have a metric.
  package var hasMetric: Bool { sharedTraits.value.hasMetric }
  /// True if new subscribers receive earlier values.
  package var holdsValues: Bool { body.source.isHeld || traits.retention.count > 0 }

  /// The declaration as in the file, `${…}` unexpanded, for `describe`.
  package var text: JSONValue { written.declared }

  /// The declaration as a reload compares it: `${…}` replaced, without the keys that apply in place.
  package var fingerprint: Fingerprint { Fingerprint(text: ExactText(written.compared), home: home) }

  /// The part of a signal's own declaration that determines whether its state may be kept.
  package struct Fingerprint: Equatable {
    fileprivate let text: ExactText
    fileprivate let home: Home?
  }

  /// The named signals that it is computed from, in the order of their mention.
  package var upstream: [String] {
    var names: [String] = []
    for name in body.references.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return names
  }

  /// The named signals that its pipes send values to.
  package var targets: [String] { body.targets }

  /// The full names of the signals and actions that its declaration names.
  package var namedParts: [String] {
    upstream.filter { !ActionSignal.isCondition($0) } + body.targets + body.calls
  }
}

/// A declaration stored as text, which takes a fraction of the memory of its values.
package enum DeclarationText: Sendable {
  /// A declaration in which nothing is replaced or applied in place.
  case plain(String)
  indirect case expanded(declared: String, compared: String)

  /// The text of a signal that the file does not declare.
  package static let absent = DeclarationText(declared: .null, compared: nil)

  /// - Parameter compared: `nil` if it is known to equal `declared`.
  package init(declared: JSONValue, compared: JSONValue?) {
    let text = declared.description
    if let other = compared?.description, other != text {
      self = .expanded(declared: text, compared: other)
    } else {
      self = .plain(text)
    }
  }

  /// Returns the text with something else that a reload compares.
  package func comparing(_ other: String) -> DeclarationText {
    if other.isEmpty { return self }
    return switch self {
    case .plain(let text), .expanded(let text, _): .expanded(declared: text, compared: "\(compared)\n\(other)")
    }
  }

  package var compared: String {
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

/// The traits of a signal apart from its computation.
package struct SignalTraits: Sendable {
  /// The keys of a signal that are neither its source nor its pipe.
  package static let names = [
    "hold", "replay", "lazy", "cold", "on_error", "access", "backpressure", "doc", "unit_of_measurement",
    "precision", "severity", "dbus", "private", "publish", "entity", "metric",
  ]
  /// The deprecated name of `unit_of_measurement`, which is a source as well.
  package static let formerUnit = "unit"

  /// The rule for when a signal runs, and in how many instances.
  package enum RunPolicy: Sendable {
    /// One instance, always.
    case always
    /// One instance, while it has subscribers.
    case lazy
    /// One instance for each subscriber.
    case cold
  }

  package var documentation: String?
  package var unit: String?
  /// The number of decimals that its numbers are shown with.
  package var precision: Int?
  private var sharedSeverity: Shared<SeverityDeclaration>?
  /// The attention that its values demand; boxed, as few signals have one.
  package var severity: SeverityDeclaration? {
    get { sharedSeverity?.value }
    set { sharedSeverity = newValue.map(Shared.init) }
  }
  /// The metric whose samples are its values; boxed, as few signals have one.
  private var sharedMetric: Shared<MetricDeclaration>?
  var hasMetric: Bool { sharedMetric != nil }
  package var metric: MetricDeclaration? {
    get { sharedMetric?.value }
    set { sharedMetric = newValue.map(Shared.init) }
  }
  /// True if it is hidden from clients.
  package var isPrivate = false
  /// True if it is an object on the daemon's message bus.
  package var isOnBus = false
  package var access = AccessRules()
  package var run = RunPolicy.always
  /// The permission for subscribers to request `overflow: block`.
  package var hasBackpressure = false
  /// The values that a new subscriber receives.
  package var retention = RetentionPolicy()
  /// The value held from the start.
  package var initial: JSONValue?

  package init(access: AccessRules = AccessRules()) { self.access = access }
}

/// The treatment of a value that one of a signal's expressions rejects.
package enum ErrorPolicy: String, CaseIterable, Sendable {
  /// Drops the value, counts it and reports it.
  case drop
  /// Emits `{"error":{code,message}}` in its place.
  case emit
  /// Fails the signal, as RAC does.
  case fail
}

package import JSON

/// A view: signals and actions that a page shows and operates together.
package struct ViewDeclaration: Equatable, Sendable {
  /// The way in which an entry shows its signal.
  package enum Form: String, CaseIterable, Sendable {
    case value, light, plot, gauge, toggle, slider, choice, button, text

    /// True if it sends values.
    package var isControl: Bool {
      switch self {
      case .value, .light, .plot, .gauge: false
      case .toggle, .slider, .choice, .button, .text: true
      }
    }
  }

  package struct Curve: Equatable, Sendable {
    package let name: String
    package let isHeld: Bool

    package init(name: String, isHeld: Bool) {
      self.name = name
      self.isHeld = isHeld
    }
  }

  /// One signal or action of a view, or several signals in one plot.
  package struct Entry: Equatable, Sendable {
    /// The full name of the signal or the action.
    package let name: String
    package let isAction: Bool
    package let form: Form
    package var title: String?
    /// The period of a plot.
    package var period: Duration?
    /// The type of the values that the signal accepts.
    package var type: DeclaredType?
    /// The range of a slider, a gauge or a plot.
    package var range: ClosedRange<Double>?
    /// The value that a button sends.
    package var press: JSONValue?
    /// True if a value of the signal holds until the next one.
    package var isHeld = false
    /// The signals of a plot of several, by name and whether their values hold.
    package var curves: [Curve] = []

    package init(
      name: String, isAction: Bool, form: Form, title: String? = nil, period: Duration? = nil,
      type: DeclaredType? = nil, range: ClosedRange<Double>? = nil
    ) {
      self.name = name
      self.isAction = isAction
      self.form = form
      self.title = title
      self.period = period
      self.type = type
      self.range = range
    }

    /// The entry for a client, without its rights.
    package var members: JSONObject {
      let signals = curves.map { ["signal": .string($0.name), "held": .bool($0.isHeld)] as JSONValue }
      var members: JSONObject = [isAction ? "action" : "signal": .string(name), "as": .string(form.rawValue)]
      if !curves.isEmpty { members = ["signals": .array(signals), "as": .string(form.rawValue)] }
      if let title { members["title"] = .string(title) }
      if let period { members["period"] = .number(period.seconds) }
      if let type, form.isControl { members["type"] = .string(type.word.rawValue) }
      if let type, form == .text {
        for (key, value) in type.narrowings { members[key] = value }
      }
      if let range {
        members["minimum"] = .number(range.lowerBound)
        members["maximum"] = .number(range.upperBound)
      }
      if let type, form == .choice { members["enum"] = .array(type.choices) }
      if form == .plot, curves.isEmpty { members["held"] = .bool(isHeld) }
      if let press { members["press"] = press }
      return members
    }
  }

  package let name: String
  package let title: String
  package let documentation: String?
  /// In the order of the file.
  package let entries: [Entry]

  package init(name: String, title: String, documentation: String?, entries: [Entry]) {
    self.name = name
    self.title = title
    self.documentation = documentation
    self.entries = entries
  }
}

extension ViewDeclaration {
  /// Returns the view for a client; `nil` if it has no entries that the client may see.
  package func members(showing entries: [JSONValue]) -> JSONObject? {
    guard !entries.isEmpty else { return nil }
    var members: JSONObject = ["name": .string(name), "title": .string(title)]
    if let documentation { members["doc"] = .string(documentation) }
    members["show"] = .array(entries)
    return members
  }
}

/// One error, warning or note about a configuration.
package struct Diagnostic: Sendable, Equatable {
  package enum Severity: String, Sendable {
    case error, warning
    /// A thing that could not be checked.
    case note
  }

  /// A second place that explains the diagnostic, such as the first declaration of a name.
  package struct Related: Sendable, Equatable {
    package let place: Place
    package let length: Int
    package let text: String

    package init(_ text: String, at place: some Placed) {
      self.place = place.place
      length = place.length
      self.text = text
    }
  }

  package let severity: Severity
  package let place: Place
  /// The number of columns to underline, at least 1.
  package let length: Int
  package let message: String
  /// The text that was probably intended, without quotes.
  package let suggestion: String?
  package let related: Related?
  /// The replacement that corrects it without doubt, if there is one.
  package let fixIt: FixIt?
  /// An example of the correct form.
  package var example: String?

  package init(
    _ severity: Severity, _ message: String, at place: Place, length: Int = 1,
    suggestion: String? = nil, related: Related? = nil, fixIt: FixIt? = nil
  ) {
    self.severity = severity
    self.place = place
    self.length = max(length, 1)
    self.message = message
    self.suggestion = suggestion
    self.related = related
    self.fixIt = fixIt
  }

  /// The message followed by the suggestion.
  package var text: String {
    suggestion.map { "\(message); did you mean \"\($0)\"?" } ?? message
  }
}

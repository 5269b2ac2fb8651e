/// One thing that is wrong, or doubtful, in a configuration.
package struct Diagnostic: Sendable, Equatable {
  package enum Severity: String, Sendable {
    case error, warning
    /// Something that could not be looked at.
    case note
  }

  /// A second place that belongs to it, such as where a name was given first.
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
  /// The number of columns of its line that it is about, at least 1.
  package let length: Int
  package let message: String
  /// The text that was probably meant, without quotes.
  package let suggestion: String?
  package let related: Related?
  /// An example of how to write it.
  package var example: String?

  package init(
    _ severity: Severity, _ message: String, at place: Place, length: Int = 1,
    suggestion: String? = nil, related: Related? = nil
  ) {
    self.severity = severity
    self.place = place
    self.length = max(length, 1)
    self.message = message
    self.suggestion = suggestion
    self.related = related
  }

  /// The message followed by the suggestion.
  package var text: String {
    suggestion.map { "\(message); did you mean \"\($0)\"?" } ?? message
  }
}

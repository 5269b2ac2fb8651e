/// The forms of a parameter in a file, for the schema and the pictures.
package enum ParameterShape: Equatable, Sendable {
  case duration, integer, number, boolean, text, expression
  /// Any value, and a list of them.
  case value, values
  /// A list of texts, at least one.
  case texts
  /// `true` alone.
  case presence
  case choice([String])
  /// The type of values: a word, or a mapping.
  case valueType
  /// A signal's name, or an inline declaration.
  case signal
  /// A list of signals, or a map of them.
  case signals
  /// A map of signals.
  case cases
  /// A list of operators.
  case pipe
  /// The name of an action.
  case action
  /// The name of an input or a property.
  case target
  /// A number of times, or `{times, delay, factor}`.
  case callRetry
  /// `{count, time, bytes}`.
  case callBatch
  /// A component of Home Assistant, or `{component, name, …}`.
  case entity
  /// Expressions by names.
  case expressions
  /// The format of a line: a word, `{csv: …}` or `{regex: …}`.
  case lineFormat
  /// An expression, or `{begins, wait}`.
  case multiline
  /// One text or several.
  case textOrTexts
  /// Fields, each with one text or several.
  case matches
  case integerOrText
  /// A form known to its own reader only.
  case other

  /// True if an error in it is independent of the operator, so that the operator's example would not help.
  var isExplainedByItself: Bool {
    switch self {
    case .expression, .expressions, .signal, .signals, .cases, .pipe, .action, .target, .callRetry, .callBatch: true
    case .duration, .integer, .number, .boolean, .text, .texts, .value, .values, .presence, .choice, .valueType,
      .lineFormat, .multiline, .entity, .textOrTexts, .matches, .integerOrText, .other:
      false
    }
  }
}

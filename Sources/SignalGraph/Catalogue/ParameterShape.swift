/// The shapes in which a file can write a parameter, for the readers of the catalogue: schemas and pictures.
package enum ParameterShape: Equatable, Sendable {
  case duration, integer, number, boolean, text, expression
  /// Any value, and a list of them.
  case value, values
  /// A list of texts, at least one.
  case texts
  /// `true` and nothing else.
  case presence
  case choice([String])
  /// A signal's name, or its declaration on the spot.
  case signal
  /// A list of signals, or a map of them.
  case signals
  /// A map of signals.
  case cases
  /// A list of operators.
  case pipe
  /// The name of an action.
  case action
  /// A number of times, or `{times, delay, factor}`.
  case callRetry
  /// The format of a line: a word, `{csv: …}` or `{regex: …}`.
  case lineFormat
  /// An expression, or `{begins, wait}`.
  case multiline
  /// A text or several.
  case textOrTexts
  /// Fields, each with a text or several.
  case matches
  case integerOrText
  /// Something that only its own reader knows.
  case other

  /// Whether what is wrong with it has nothing to do with the operator that it is for.
  var isExplainedByItself: Bool {
    switch self {
    case .expression, .signal, .signals, .cases, .pipe, .action: true
    case .duration, .integer, .number, .boolean, .text, .texts, .value, .values, .presence, .choice, .lineFormat,
      .multiline, .callRetry, .textOrTexts, .matches, .integerOrText, .other:
      false
    }
  }
}

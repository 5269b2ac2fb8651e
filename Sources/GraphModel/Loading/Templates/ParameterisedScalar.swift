/// A scalar of a template as written there, and the arguments in its scope.
///
/// The node that replaces it has the text with all parameters filled in. Expressions are read from here instead, since
/// a parameter is a value to them, not text.
final class ParameterisedScalar: Sendable {
  /// With its place in the template.
  let written: ConfigNode
  let arguments: TemplateArguments

  init(_ written: ConfigNode, _ arguments: TemplateArguments) {
    self.written = written
    self.arguments = arguments
  }
}

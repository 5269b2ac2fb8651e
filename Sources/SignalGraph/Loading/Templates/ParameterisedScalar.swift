/// A scalar of a template as it was written there, and the arguments that it sees.
///
/// The node that stands for it has the text with all parameters put in. An expression is read from here instead, since
/// to it a parameter is a value and not text.
final class ParameterisedScalar: Sendable {
  /// With the place in the template.
  let written: ConfigNode
  let arguments: TemplateArguments

  init(_ written: ConfigNode, _ arguments: TemplateArguments) {
    self.written = written
    self.arguments = arguments
  }
}

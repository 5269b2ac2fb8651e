internal import JSON

/// `@name` on its own: the format of the input.
final class FormatNode: Node {
  let isDirect = true
  private let format: TextFormat

  init(_ format: TextFormat) { self.format = format }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    .string(try format.apply(to: input, frame.environment))
  }
}

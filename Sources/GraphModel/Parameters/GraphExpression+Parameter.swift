import Expressions

extension GraphExpression: ParameterValue {
  package static var typeName: String { "an expression" }
  package static var shape: ParameterShape { .expression }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> GraphExpression? {
    guard let text = reading.reader(node).expression() else { return nil }
    let variables = GraphVariables.common + reading.reader.variables + reading.variables
    do throws(ExpressionSyntaxError) {
      let context = reading.reader.context
      let expression = try context.expressions.expression(text.text, seeing: variables)
      context.timeZones.note(expression.expression.zoneNames)
      return expression
    } catch {
      reading.reader.problems.error(
        error.message
          + (text.isCutByComment ? "; what follows \"#\" is a comment to YAML: put the whole into quotes" : ""),
        at: text.place(ofCharacter: error.offset), suggestion: error.suggestion)
      return nil
    }
  }
}

/// The variables available to every expression of a graph.
enum GraphVariables {
  /// `$signal`, the full name of the signal that the expression belongs to.
  static let common = ["signal"]
}

extension ExpressionText {
  /// True if a `#` that begins a YAML comment cuts the text short.
  fileprivate var isCutByComment: Bool {
    guard node.scalar?.style == .plain, let line = place.source.line(place.line) else { return false }
    let rest = line.unicodeScalars.dropFirst(place.column - 1 + length).drop { $0 == " " }
    return rest.first == "#"
  }

  /// Returns the place of a Unicode scalar of the text, counted from 0.
  fileprivate func place(ofCharacter offset: Int) -> Place {
    place(ofByte: text.unicodeScalars.prefix(offset).reduce(0) { $0 + UTF8.width($1) })
  }
}

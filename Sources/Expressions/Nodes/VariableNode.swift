internal import JSON

/// `$name`, bound within the expression.
final class VariableNode: Node {
  let isDirect = true
  private let hops: Int

  init(hops: Int) { self.hops = hops }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    frame.scope?.outer(hops)?.value
  }
}

/// `$name`, given by the environment.
final class EnvironmentVariableNode: Node {
  let isDirect = true
  private let index: Int

  let readsText = true

  init(index: Int) { self.index = index }

  func number(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Double? {
    let environment = frame.environment
    guard index < environment.variables.count, case .number(let number) = environment.variables[index] else {
      return nil
    }
    return number
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    let variables = frame.environment.variables
    return index < variables.count ? variables[index] : .null
  }
}

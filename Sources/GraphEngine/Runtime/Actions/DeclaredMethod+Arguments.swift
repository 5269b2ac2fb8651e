import Expressions
import GraphModel
import JSON

extension DeclaredMethod {
  /// Returns the arguments for the value of a call.
  func arguments(
    for value: JSONValue, of action: String, _ engine: GraphEngine
  ) throws(SignalFailure) -> [JSONValue] {
    let (count, list) = (signature.count, try list(of: value, of: action, engine))
    guard let list else { throw .badValue("\(member.text) takes a list of \(count) argument\(count == 1 ? "" : "s")") }
    if list.count == count { return list }
    throw .badValue("\(member.text) takes \(count) argument\(count == 1 ? "" : "s"), not \(list.count)")
  }

  private func list(of value: JSONValue, of action: String, _ engine: GraphEngine) throws(SignalFailure) -> [JSONValue]?
  {
    guard let arguments else {
      switch signature.count {
      case 0: return []
      case 1: return [value]
      default: return value.elements
      }
    }
    do throws(ExpressionError) {
      let environment = engine.callEnvironment(variables: [.string(action)])
      return try engine.first(of: arguments, for: value, in: environment)?.elements
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: "with: \(error.message)")
    }
  }
}

extension JSONValue {
  fileprivate var elements: [JSONValue]? {
    if case .array(let elements) = plain { elements } else { nil }
  }
}

internal import JSON

/// `label $name | a`: `break` is matched by the identity of the binding.
final class LabelNode: Node {
  let isDirect: Bool
  private let body: any Node

  init(_ body: any Node) {
    self.body = body
    isDirect = body.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    let label = Scope(.null, within: frame.scope)
    do throws(ExpressionError) {
      return try body.direct(input, Frame(frame.environment, label))
    } catch {
      if error.isBreak(to: label) { return nil }
      throw error
    }
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    let label = Scope(.null, within: frame.scope)
    do throws(ExpressionError) {
      return try body.each(input, Frame(frame.environment, label), sink)
    } catch {
      if error.isBreak(to: label) { return .next }
      throw error
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    let label = Scope(.null, within: frame.scope)
    do throws(ExpressionError) {
      return try body.paths(input, Frame(frame.environment, label), sink)
    } catch {
      if error.isBreak(to: label) { return .next }
      throw error
    }
  }
}

/// Evaluates `break $name`.
final class BreakNode: Node {
  let isDirect = true
  private let hops: Int

  init(hops: Int) { self.hops = hops }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let label = frame.scope?.outer(hops) else { return nil }
    throw ExpressionError(breakTo: label)
  }
}

import Expressions
import JSON

/// A method of an object on a bus that an action calls, as a file declares it.
struct DeclaredMethod: Sendable {
  private let name: BusName
  private let path: BusPath
  private let interface: BusInterface
  private let member: BusMember
  private let signature: BusSignature
  /// Makes the list of arguments of the call's value.
  private let arguments: GraphExpression?
  private let activates: Bool
  private let bytes: BusBytes
  private let bus: BusChoice

  static let parameters = ParameterList(
    Parameter<BusName>("name", "the name of the service"),
    Parameter<BusPath>("path", "the path of the object"),
    Parameter<BusInterface>("interface", "the interface of the object"),
    Parameter<BusMember>("method", "the method that is called"),
    Parameter<BusSignature>("signature", "the types of its arguments, as D-Bus writes them", initial: .empty),
    Parameter<GraphExpression?>(
      "with",
      "makes the list of arguments of the value that the action is called with; else that is the argument, or the list "
        + "of several",
      initial: .some(nil)),
    Parameter<Bool>("activate", "whether a service that does not run is started", initial: false),
    Parameter<BusBytes>("bytes", "whether bytes are lists of numbers or text", initial: .numbers),
    Parameter<BusChoice>("bus", "the bus", initial: .system))

  /// Reads it; `nil` after everything wrong with it was reported.
  static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> DeclaredMethod? {
    let method = parameters.read(entry.value, of: "dbus", at: entry.key, reader).map(DeclaredMethod.init)
    if let method { reader.note(method.mention(at: entry.value)) }
    return method
  }

  private func mention(at node: ConfigNode) -> BusMention {
    BusMention(
      bus: bus, name: node.word("name", name.text), path: node.word("path", path.text),
      interface: node.word("interface", interface.text),
      use: .method(
        node.word("method", member.text),
        signature: BusMention.Word(signature.text, at: node["signature"] ?? node["method"] ?? node)),
      textBytes: bytes == .text ? node["bytes"].map { Extent($0) } : nil)
  }

  var needs: [OutsideNeed] { bus.needs }

  /// - Parameter action: The full name of the action that calls it.
  func method(for action: String) -> BusMethod {
    BusMethod(
      of: BusObject(bus: bus, name: name.text, path: path.text), interface: interface.text, member: member.text,
      signature: signature.text, activates: activates, bytes: bytes, owner: action)
  }

  /// The arguments for the value of a call.
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
    let environment = Environment(
      variables: [.string(action)], now: engine.clock.seconds,
      limits: ExpressionLimits(steps: engine.limits.expression, bytes: engine.limits.value))
    do throws(ExpressionError) {
      return try arguments.expression.first(value, environment)?.elements
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

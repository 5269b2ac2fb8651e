/// The declaration of a method on a bus that an action calls.
package struct DeclaredMethod: Sendable {
  private let name: BusName
  private let path: BusPath
  private let interface: BusInterface
  package let member: BusMember
  package let signature: BusSignature
  /// Computes the list of arguments from the call's value.
  package let arguments: GraphExpression?
  private let activates: Bool
  private let bytes: BusBytes
  private let bus: BusChoice

  /// The descriptions of its parameters.
  package static var descriptions: [ParameterDescription] { parameters.descriptions }

  static let parameters = ParameterList(
    Parameter<BusName>("name", "the bus name of the service"),
    Parameter<BusPath>("path", "the object path"),
    Parameter<BusInterface>("interface", "the interface"),
    Parameter<BusMember>("method", "the method"),
    Parameter<BusSignature>("signature", "the D-Bus signature of its arguments", initial: .empty),
    Parameter<GraphExpression?>(
      "with",
      "an expression for the list of arguments; by default the value is the argument, or the list "
        + "of several",
      initial: .some(nil)),
    Parameter<Bool>("activate", "activate the service if it is not running", initial: false),
    Parameter<BusBytes>("bytes", "the form of byte arrays: lists of numbers, or text", initial: .numbers),
    Parameter<BusChoice>("bus", "the bus", initial: .system))

  /// Reads the method; `nil` after reporting every error in it.
  package static func read(_ entry: ConfigNode.Entry, _ reader: DeclarationReader) -> DeclaredMethod? {
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
  package func method(for action: String) -> BusMethod {
    BusMethod(
      of: BusObject(bus: bus, name: name.text, path: path.text), interface: interface.text, member: member.text,
      signature: signature.text, activates: activates, bytes: bytes, owner: action)
  }
}

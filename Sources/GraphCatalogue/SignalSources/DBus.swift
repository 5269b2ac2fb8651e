import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let dbus = SourceDeclaration(
    "dbus", "Holds properties of a D-Bus object, or emits a signal of its interface.", kind: .source,
    Parameter<BusName>("name", "the bus name of the service; for a signal, of its sender"),
    Parameter<BusPath>("path", "the object path"),
    Parameter<BusInterface>("interface", "the interface"),
    Parameter<BusMember?>("property", "the property to hold", initial: .some(nil)),
    Parameter<BusMembers?>(
      "properties", "several properties, as an object of the known ones; simultaneous changes are one value",
      initial: .some(nil)),
    Parameter<BusMember?>(
      "signal", "a signal of the interface; its value is null, its argument, or a list of its arguments",
      initial: .some(nil)),
    Parameter<BusArguments?>(
      "arguments", "the required strings of arguments of the signal, by number from 0", initial: .some(nil)),
    Parameter<Duration?>(
      "every", "polling interval for properties whose changes are not announced", initial: .some(nil),
      shortest: .milliseconds(1)),
    Parameter<MissingService>(
      "missing", "the value while the name has no owner: null, the last value, or a failure (gone)",
      initial: .null),
    Parameter<Bool>("activate", "activate the service to read its properties", initial: false),
    Parameter<Bool>("write", "set the property to values sent to the signal", initial: false),
    Parameter<BusSignature?>(
      "signature", "the D-Bus type of the property to set, if the service does not provide it",
      initial: .some(nil)),
    Parameter<BusBytes>("bytes", "the form of byte arrays: lists of numbers, or text", initial: .numbers),
    Parameter<BusChoice>("bus", "the bus", initial: .system),
    as: BusSource.init
  )
  .alsoKnown(as: "bus", "d-bus", "upower", "networkmanager")
}

/// A bus object followed by a source: the values of properties, or the emissions of a signal.
private struct BusSource: WholeSource {
  let name: BusName
  let path: BusPath
  let interface: BusInterface
  let property: BusMember?
  let properties: BusMembers?
  let signal: BusMember?
  let arguments: BusArguments?
  let interval: Duration?
  let missing: MissingService
  let activates: Bool
  let writes: Bool
  let signature: BusSignature?
  let bytes: BusBytes
  let bus: BusChoice

  var isHeld: Bool { signal == nil }
  var takesValues: Bool { writes }

  var problem: String? {
    switch (property != nil, properties != nil, signal != nil) {
    case (true, false, false), (false, true, false): problemInProperties
    case (false, false, true): problemInSignal
    default: "give exactly one of property, properties and signal"
    }
  }

  private var problemInProperties: String? {
    if arguments != nil { return "arguments requires signal" }
    if let problem = problemInSignature { return problem }
    return writes && property == nil ? "write requires exactly one property" : nil
  }

  private var problemInSignature: String? {
    guard let signature else { return nil }
    if !writes { return "signature requires write" }
    return signature.count == 1 ? nil : "signature must be a single type, such as u or a{sv}"
  }

  private var problemInSignal: String? {
    if signature != nil { return "signature requires a property" }
    if interval != nil { return "every requires properties: a signal is not polled" }
    if writes { return "write requires exactly one property" }
    if activates { return "activate requires properties: only a running service emits a signal" }
    return missing == .null ? nil : "missing requires properties: a signal has no value without its sender"
  }

  func mention(at node: ConfigNode) -> BusMention? {
    let use: BusMention.Use
    if let signal {
      let places = (node["arguments"]?.entries ?? []).compactMap { entry in
        Int(entry.name).map { (number: $0, place: Extent(entry.key)) }
      }
      use = .signal(node.word("signal", signal.text), arguments: places)
    } else {
      let several = zip(properties?.texts ?? [], node["properties"]?.elements ?? []).map { BusMention.Word($0, at: $1) }
      use = .properties(
        property.map { [node.word("property", $0.text)] } ?? several, isPolled: interval != nil, isWritten: writes,
        type: signature.map { node.word("signature", $0.text) })
    }
    return BusMention(
      bus: bus, name: node.word("name", name.text), path: node.word("path", path.text),
      interface: node.word("interface", interface.text), use: use,
      textBytes: bytes == .text ? node["bytes"].map { Extent($0) } : nil)
  }

  private var object: BusObject { BusObject(bus: bus, name: name.text, path: path.text) }

  func stream(_ context: OperatorContext) -> Stream {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    if let signal {
      listen(to: signal.text, output, context)
    } else if let property {
      watch([property.text], output, context) { $0[property.text] }
      if writes { set(property.text, output, context) }
    } else if let properties {
      watch(properties.texts, output, context) { .object($0) }
    }
    return stream
  }

  private func watch(
    _ names: [String], _ output: StreamObserver, _ context: OperatorContext,
    _ value: @escaping (JSONObject) -> JSONValue?
  ) {
    let properties = BusProperties(
      of: object, [BusProperties.Group(interface: interface.text, properties: names)], every: interval,
      activates: activates, bytes: bytes)
    WatchedProperties(properties, missing: missing, repeats: true, to: output, context) { known, _ in value(known) }
      .begin()
  }

  private func set(_ property: String, _ output: StreamObserver, _ context: OperatorContext) {
    let setter = PropertySetter(
      BusProperty(of: object, interface: interface.text, name: property, signature: signature?.text), to: output,
      context)
    context.signal.inlet = Inlet(
      output: StreamObserver(value: { setter.set($0.value) }, ending: { output.send($0) }), valueObserver: output,
      type: .any,
      isEndable: false)
    setter.begin()
  }

  private func listen(to member: String, _ output: StreamObserver, _ context: OperatorContext) {
    let signal = BusSignal(
      of: object, interface: interface.text, member: member, arguments: arguments?.texts ?? [:], bytes: bytes)
    context.onAttach { world, _ in
      let listening = world.buses.listen(to: signal) { event in
        guard !context.body.hasEnded else { return }
        switch event {
        case .arguments(let values):
          context.turns.run { output.send(value: .value(values.together ?? .null)) }
        case .refused(let failure): context.turns.run { context.refuse(failure, value: nil, output) }
        // There is no value while its sender is absent.
        case .gone, .properties: break
        }
      }
      context.body.onEnd { listening.dispose() }
    }
  }
}

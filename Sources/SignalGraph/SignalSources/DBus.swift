import JSON
import ReactiveCore

extension SourceDeclaration {
  static let dbus = SourceDeclaration(
    "dbus", "Holds properties of an object on D-Bus as they change, or emits a signal of its interface.", kind: .source,
    Parameter<BusName>("name", "the name of the service, which for a signal is its sender"),
    Parameter<BusPath>("path", "the path of the object"),
    Parameter<BusInterface>("interface", "the interface of the object"),
    Parameter<BusMember?>("property", "a property, whose value is the signal's", initial: .some(nil)),
    Parameter<BusMembers?>(
      "properties", "several properties: an object of all that are known; those that change together make one value",
      initial: .some(nil)),
    Parameter<BusMember?>(
      "signal", "a signal of the interface: null, its argument, or a list of its arguments", initial: .some(nil)),
    Parameter<BusArguments?>(
      "arguments", "the strings that arguments of the signal must have, by their numbers from 0", initial: .some(nil)),
    Parameter<Duration?>(
      "every", "how often to read properties whose changes are not announced", initial: .some(nil)),
    Parameter<MissingService>(
      "missing", "what properties are while nobody owns the name: null, the last value, or a failure (gone)",
      initial: .null),
    Parameter<Bool>("activate", "whether a service that does not run is started so that it tells them", initial: false),
    Parameter<Bool>("write", "whether sending a value sets the property", initial: false),
    Parameter<BusSignature?>(
      "signature", "the type of a property that is set, as D-Bus writes it, where the service does not tell it",
      initial: .some(nil)),
    Parameter<BusBytes>("bytes", "whether bytes are lists of numbers or text", initial: .numbers),
    Parameter<BusChoice>("bus", "the bus", initial: .system),
    as: BusSource.init)
}

/// Something on a bus of which a source is told: the values of properties, or the emissions of a signal.
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

  var mistake: String? {
    switch (property != nil, properties != nil, signal != nil) {
    case (true, false, false), (false, true, false): mistakeInProperties
    case (false, false, true): mistakeInSignal
    default: "give one of property, properties and signal"
    }
  }

  private var mistakeInProperties: String? {
    if let interval, interval < .milliseconds(1) { return "every is 1ms or more" }
    if arguments != nil { return "arguments are those of a signal" }
    if let mistake = mistakeInSignature { return mistake }
    return writes && property == nil ? "write needs exactly one property" : nil
  }

  private var mistakeInSignature: String? {
    guard let signature else { return nil }
    if !writes { return "signature is the type as which a property is set, with write" }
    return signature.count == 1 ? nil : "signature is the one type of the property, such as u or a{sv}"
  }

  private var mistakeInSignal: String? {
    if signature != nil { return "signature is the type of a property" }
    if interval != nil { return "every reads properties, and a signal is told when it is emitted" }
    if writes { return "write needs exactly one property" }
    if activates { return "activate has properties read, and a signal only comes from a service that runs" }
    return missing == .null ? nil : "missing is about properties: a signal has no value while its sender is away"
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
      output: StreamObserver(value: { setter.set($0.value) }, ending: { output.send($0) }), voice: output, type: .any,
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
        // It has no value while its sender is away.
        case .gone, .properties: break
        }
      }
      context.body.onEnd { listening.dispose() }
    }
  }
}

extension [JSONValue] {
  /// One value for all: the only one as it is, several as a list, `nil` for none.
  var together: JSONValue? { count < 2 ? first : .array(self) }
}

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
    return writes && property == nil ? "write needs exactly one property" : nil
  }

  private var mistakeInSignal: String? {
    if interval != nil { return "every reads properties, and a signal is told when it is emitted" }
    if writes { return "write needs exactly one property" }
    if activates { return "activate has properties read, and a signal only comes from a service that runs" }
    return missing == .null ? nil : "missing is about properties: a signal has no value while its sender is away"
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
    let setter = PropertySetter(of: object, interface: interface.text, property: property, to: output, context)
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

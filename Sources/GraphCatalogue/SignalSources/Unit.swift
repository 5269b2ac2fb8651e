import Base
import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let unit = SourceDeclaration(
    "unit",
    "Holds the state of a systemd unit: state, sub (the state of its type), result and since (time).",
    kind: .source,
    Parameter<SystemdUnit>("name", "the unit, with its type: nginx.service", .plain),
    Parameter<MissingService>(
      "missing", "the value while systemd or its bus is unavailable: null, the last value, or a failure (gone)",
      initial: .keep),
    Parameter<BusChoice>("bus", "the bus of its systemd; session for a user's", initial: .system),
    as: UnitSource.init
  )
  .alsoKnown(as: "systemd", "service", "systemctl")
}

/// A systemd unit whose state is a source's value.
private struct UnitSource: WholeSource {
  let unit: SystemdUnit
  let missing: MissingService
  let bus: BusChoice

  var isHeld: Bool { true }
  var takesValues: Bool { false }

  func mention(at node: ConfigNode) -> BusMention? {
    let word = node.word("name", unit.name)
    return BusMention(
      bus: bus, name: .init(SystemdUnit.service, at: word.place), path: .init(unit.path, at: word.place),
      interface: .init(SystemdUnit.interface, at: word.place), use: .unit(word), textBytes: nil)
  }

  func stream(_ context: OperatorContext) -> Stream {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    WatchedUnit.properties(of: unit, on: bus, missing: missing, to: output, context).begin()
    return stream
  }
}

/// Converts the properties of a unit to its state.
private enum WatchedUnit {
  private static let (state, sub, since, result) = ("ActiveState", "SubState", "StateChangeTimestamp", "Result")

  static func properties(
    of unit: SystemdUnit, on bus: BusChoice, missing: MissingService, to output: StreamObserver,
    _ context: OperatorContext
  ) -> WatchedProperties {
    var groups = [BusProperties.Group(interface: SystemdUnit.interface, properties: [state, sub, since])]
    if let interface = unit.resultInterface {
      groups.insert(BusProperties.Group(interface: interface, properties: [result]), at: 0)
    }
    let object = BusObject(bus: bus, name: SystemdUnit.service, path: unit.path)
    return WatchedProperties(
      BusProperties(of: object, groups), missing: missing, repeats: false, to: output, context, value)
  }

  /// The state, unless further properties are pending.
  ///
  /// systemd sends the properties of the type before those of every unit, "to get atomic behavior if needed"
  /// (`dbus-unit.c`). When a failed unit is started, its result is reset before its state changes; a failed state with
  /// result success is therefore transient and not emitted.
  private static func value(_ known: JSONObject, _ announced: [String: JSONValue]) -> JSONValue? {
    guard let now = known[state] else { return nil }
    let hasFailed = now == "failed"
    if hasFailed && known[result] == "success" { return nil }
    // The result may be read before the state and announced only later.
    let isWhole = [state, sub, since].contains { announced[$0] != nil }
    guard isWhole || hasFailed && announced[result] != nil else { return nil }
    return [
      "state": known[state] ?? .null, "sub": known[sub] ?? .null, "result": known[result] ?? .null,
      "since": known[since].flatMap(moment) ?? .null,
    ]
  }

  /// Converts microseconds since 1970; 0 means no time.
  private static func moment(_ value: JSONValue) -> JSONValue? {
    guard case .number(let number) = value.plain, let microseconds = Int64(exactly: number), microseconds > 0 else {
      return nil
    }
    return .string(RFC3339.text(microseconds: microseconds, in: .utc))
  }
}

import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let adapter = SourceDeclaration(
    "adapter", "Emits the values of an adapter that does not come with signalbox.", kind: .source,
    Parameter<AdapterConnectionName>("connection", "the connection, of the adapter's kind"),
    Parameter<AdapterSettings?>("settings", "the adapter's settings of this source", initial: .some(nil)),
    MessageParameters.format,
    Parameter<MessageForm>(
      "as", "whether a value is the payload, or an object with it and the adapter's details", initial: .payload),
    as: AdapterSource.init)
}

/// The values that an adapter of another kind sends.
private struct AdapterSource: WholeSource {
  let connection: AdapterConnectionName
  let settings: AdapterSettings?
  let format: LineFormat?
  let form: MessageForm

  var isHeld: Bool { false }
  var takesValues: Bool { false }
  var problem: String? { format?.problemInRecords }

  func stream(_ context: OperatorContext) -> Stream {
    var settings = settings?.members ?? JSONObject()
    if form == .message { settings["as"] = "message" }
    return NetworkRecords.stream(
      of: NetworkSource(
        signal: context.signal.name, kind: connection.reference.kind, connection: connection.reference.name,
        settings: settings), format, isContinuous: true, context)
  }
}

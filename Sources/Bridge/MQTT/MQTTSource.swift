internal import JSON

/// A signal that is fed from topics of an MQTT broker, while its declaration is there: a source, or an input that is operated
/// from Home Assistant.
final class MQTTSource {
  let run: SignalRun
  let filter: String
  let qos: Int32
  /// True if its values tell the topic beside the payload.
  private let isMessage: Bool
  /// The position of its values, which tells the next bridge that it has received some; `nil` if its graph is not durable.
  private let position: String?
  /// The command of an input; `nil` for a source.
  let command: MQTTCommand?
  /// True once it has, or is to get, what the broker retains: from a subscription of this process, or of one before that
  /// has brought its durable graph a value.
  var knowsRetained: Bool
  /// True once the daemon knows that the broker takes the subscription; until then it may have a failure of an earlier one.
  var isKnownToWork = false
  var refusals = RefusalLog()

  init(_ declaration: SignalDeclaration) throws(TaskFailure) {
    guard let filter = declaration.settings.string("topic") else {
      throw TaskFailure("bad_request", "the source has no topic")
    }
    run = declaration.run
    self.filter = filter
    qos = Int32(max(0, min(declaration.settings.integer("qos") ?? 1, 2)))
    isMessage = declaration.settings.string("as") == "message"
    command = nil
    position = declaration.settings.flag("durable") ? "received" : nil
    knowsRetained = declaration.position != nil
  }

  init(_ command: MQTTCommand) {
    run = SignalRun(command.target)
    (filter, qos, isMessage, position) = (command.filter, 1, false, nil)
    self.command = command
    knowsRetained = true
  }

  /// True if its signal may hold a retained message; with `as: message`, the flag marks messages from before the subscription.
  var holdsRetained: Bool { command == nil && !isMessage }

  func value(of message: MQTTMessage) -> SourceValue {
    guard isMessage else {
      return SourceValue(
        Body(message.payload), position: position, details: message.isRetained ? ["retained": true] : nil)
    }
    return SourceValue(
      Body(message.payload), position: position,
      details: [
        "topic": .string(message.topic), "retained": .bool(message.isRetained), "qos": .number(Double(message.qos)),
      ])
  }
}

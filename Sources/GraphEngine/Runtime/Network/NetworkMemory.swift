import Base
import GraphModel
import JSON
import Signals

/// The progress of a signal with a source on the network, which outlives each run of the source.
final class NetworkMemory: StateFields {
  /// Where the source was read up to, as its adapter names it.
  private(set) var position: String?
  /// The failure since which the source has brought nothing, if it has failed since the process began.
  var lastFailure: NotedFailure?
  /// The latest message ids, in order: a repeated one is ignored.
  private var messages = FirstInFirstOut<String>()
  private var known: Set<ExactText> = []

  /// The most names that are kept.
  static let mostMessages = 1_000

  func isKnown(_ message: String) -> Bool { known.contains(ExactText(message)) }

  func note(position: String?, message: String?) {
    if let position { self.position = position }
    guard let message, known.insert(ExactText(message)).inserted else { return }
    messages.append(message)
    if messages.count > Self.mostMessages, let oldest = messages.popFirst() { known.remove(ExactText(oldest)) }
  }

  func code(_ field: inout StateCoder<NetworkMemory>) throws(StateError) {
    try field(&position)
    try field(\.messages.all) { for message in $0 { note(position: nil, message: message) } }
  }
}

extension RunningSignal {
  /// The progress of its source, if that is on the network.
  var networkMemory: NetworkMemory? { engine.networkMemories[name] }

  /// Begins without progress.
  func renewNetworkMemory() { engine.networkMemories[name] = declaration.body.isOnNetwork ? NetworkMemory() : nil }
}

extension SignalDeclaration {
  /// The place that its source on the network reads; a position is one in this place.
  ///
  /// The interval and the form of the values are no part of it.
  var followedSource: ExactText? {
    guard body.isOnNetwork else { return nil }
    let text = written.compared.split(separator: "\n", maxSplits: 1)
    guard let declaration = text.first, let value = try? JSONParser.value(onThisThread: Array(declaration.utf8).span),
      case .object(let members) = value.plain, case .object(let source)? = members[body.source.name]?.plain
    else { return ExactText(written.compared) }
    let read = source.members.filter { !["every", "format", "as", "qos"].contains($0.key) }
    return ExactText(JSONValue.object(JSONObject(distinct: read)).description + (text.count > 1 ? "\(text[1])" : ""))
  }
}

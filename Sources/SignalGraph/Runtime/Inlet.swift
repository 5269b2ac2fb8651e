import JSON
import ReactiveCore

/// Where values from outside enter a graph.
final class Inlet {
  let output: StreamObserver
  private let apart: StreamObserver?
  let type: ValueType
  let isEndable: Bool
  /// Work that has to succeed with a value before it enters.
  private let commit: ((Payload) throws(SendError) -> Void)?

  /// - Parameter voice: Another one than `output` where a value that enters is not yet one of the signal's.
  init(
    output: StreamObserver, voice: StreamObserver? = nil, type: ValueType, isEndable: Bool,
    commit: ((Payload) throws(SendError) -> Void)? = nil
  ) {
    self.output = output
    apart = voice
    self.type = type
    self.isEndable = isEndable
    self.commit = commit
  }

  /// Whether every value enters, without more ado.
  var isOpen: Bool { type == .any && commit == nil && !hasVoiceApart }

  var hasVoiceApart: Bool { apart != nil }

  /// Where the signal's own values go: a test that speaks for it says them there.
  var voice: StreamObserver { apart ?? output }

  /// Whether a value may enter.
  func check(_ value: Payload) throws(SendError) {
    guard type.accepts(value) else {
      throw .badValue(expected: type.withArticle, found: value.typeWithArticle)
    }
  }

  /// Does what has to succeed with a value before it is sent to `output`.
  func prepare(_ value: Payload) throws(SendError) {
    if let commit { try commit(value) }
  }
}

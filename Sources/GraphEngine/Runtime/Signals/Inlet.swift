package import GraphModel
package import JSON
import Signals

/// The entry of a graph for values from outside.
package final class Inlet {
  let output: StreamObserver
  private let apart: StreamObserver?
  let type: DeclaredType
  let isEndable: Bool
  /// Work that must succeed before a value enters.
  private let commit: ((Payload) throws(SendError) -> Void)?
  /// True if every value enters without a check or further work.
  let isOpen: Bool

  /// - Parameter valueObserver: The observer of the signal's own values, if a value that enters is not yet one of them.
  package init(
    output: StreamObserver, valueObserver: StreamObserver? = nil, type: DeclaredType, isEndable: Bool,
    commit: ((Payload) throws(SendError) -> Void)? = nil
  ) {
    self.output = output
    apart = valueObserver
    self.type = type
    self.isEndable = isEndable
    self.commit = commit
    isOpen = type == .any && commit == nil && valueObserver == nil
  }

  var hasOwnValueObserver: Bool { apart != nil }

  /// The observer of the signal's own values, used by a test that stands in for the source.
  var valueObserver: StreamObserver { apart ?? output }

  /// Throws if a value may not enter.
  func check(_ value: Payload) throws(SendError) {
    if let mismatch = type.mismatch(value) { throw .badValue(expected: mismatch.expected, found: mismatch.found) }
  }

  /// Throws if one of several values may not enter, and says which.
  func check(_ values: [Payload]) throws(SendError) {
    if isOpen { return }
    for (index, value) in values.enumerated() {
      do throws(SendError) { try check(value) } catch .badValue(let expected, let found) where values.count > 1 {
        throw .badValue(expected: expected, found: "\(found), in value \(index + 1) of \(values.count)")
      }
    }
  }

  /// Does the work that must succeed before a value is sent to `output`.
  func prepare(_ value: Payload) throws(SendError) {
    if let commit { try commit(value) }
  }
}

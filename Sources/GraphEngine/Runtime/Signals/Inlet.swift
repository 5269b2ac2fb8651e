package import GraphModel
package import JSON
import Signals

/// The entry of a graph for values from outside.
package final class Inlet {
  let output: StreamObserver
  private let apart: StreamObserver?
  let type: DeclaredType
  let isEndable: Bool
  private let plan: Plan?
  /// True if every value enters without a check or further work.
  let isOpen: Bool

  /// Returns the work that must succeed before a value enters; throws for a value that it cannot be done with.
  ///
  /// It changes nothing, since a value is also checked by it.
  package typealias Plan = (Payload) throws(SendError) -> Work
  package typealias Work = () throws(SendError) -> Void

  /// - Parameter valueObserver: The observer of the signal's own values, if a value that enters is not yet one of them.
  package init(
    output: StreamObserver, valueObserver: StreamObserver? = nil, type: DeclaredType, isEndable: Bool,
    plan: Plan? = nil
  ) {
    self.output = output
    apart = valueObserver
    self.type = type
    self.isEndable = isEndable
    self.plan = plan
    isOpen = type == .any && plan == nil && valueObserver == nil
  }

  var hasOwnValueObserver: Bool { apart != nil }

  /// The observer of the signal's own values, used by a test that stands in for the source.
  var valueObserver: StreamObserver { apart ?? output }

  /// Throws if a value may not enter.
  func check(_ value: Payload) throws(SendError) {
    try checkType(of: value)
    if let plan { _ = try plan(value) }
  }

  /// Throws if a value is not of the declared type.
  func checkType(of value: Payload) throws(SendError) {
    if let mismatch = type.mismatch(value) { throw .badValue(expected: mismatch.expected, found: mismatch.found) }
  }

  /// Throws if one of several values may not enter, and says which.
  func check(_ values: [Payload]) throws(SendError) { try check(values, check) }

  /// Throws if one of several values is not of the declared type, and says which.
  func checkTypes(of values: [Payload]) throws(SendError) { try check(values, checkType) }

  private func check(
    _ values: [Payload], _ check: (Payload) throws(SendError) -> Void
  ) throws(SendError) {
    if isOpen { return }
    for (index, value) in values.enumerated() {
      do throws(SendError) { try check(value) } catch .badValue(let expected, let found) where values.count > 1 {
        throw .badValue(expected: expected, found: "\(found), in value \(index + 1) of \(values.count)")
      }
    }
  }

  /// Does the work that must succeed before a value of the declared type is sent to `output`.
  func prepare(_ value: Payload) throws(SendError) {
    if let plan { try plan(value)() }
  }
}

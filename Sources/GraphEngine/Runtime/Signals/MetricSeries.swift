import Expressions
package import GraphModel
package import JSON
import ReactiveCore

/// The last number of each series of a signal's metric.
///
/// A series is known by the values of its labels. It ends with a null, with the key of `group_by` that it comes from,
/// when it has been idle, and with the signal.
package final class MetricSeries {
  /// A group of `group_by`, which emits a value just now.
  package struct Group: Hashable {
    package let operation: ObjectIdentifier
    package let number: UInt64

    package init(operation: ObjectIdentifier, number: UInt64) {
      self.operation = operation
      self.number = number
    }
  }

  private struct Series {
    var number: Double
    var time: Int64
    var group: Group?
  }

  package let declaration: MetricDeclaration
  private let ledger: SeriesLedger
  private let environment: Environment
  private var series: [[String]: Series] = [:]
  /// The series of each group, by the values of their labels.
  private var byGroup: [Group: Set<[String]>] = [:]
  /// The number of the last value taken.
  private var sequence: UInt64 = 0
  /// The group that emits just now.
  package var group: Group?

  /// The maximum length of the value of a label, in bytes.
  private static let longestLabel = 256

  package init(_ declaration: MetricDeclaration, of signal: String, _ runtime: GraphRuntime) {
    self.declaration = declaration
    ledger = runtime.series
    let limits = runtime.engine.limits
    environment = Environment(
      variables: [.string(signal)], limits: ExpressionLimits(steps: limits.expression, bytes: limits.value))
  }

  deinit { ledger.count -= series.count }

  /// Returns true if the series remain under another declaration.
  package func serves(_ other: MetricDeclaration) -> Bool { declaration.isSame(as: other) }

  /// Takes a value of the signal.
  ///
  /// - Parameter time: The time of the value, in microseconds since 1970.
  package func take(_ payload: Payload, sequence: UInt64, at time: Int64) {
    self.sequence = sequence
    environment.now = Double(time) / 1e6
    let value = payload.value
    do {
      var labels: [String] = []
      for label in declaration.labels {
        guard let text = Self.text(try label.value.expression.first(value, environment)) else {
          ledger.refused += 1
          return
        }
        labels.append(text)
      }
      let number = try declaration.value.map { try $0.expression.first(value, environment) ?? .null } ?? value
      note(number.plain, labels, at: time)
    } catch {
      ledger.refused += 1
    }
  }

  private func note(_ value: JSONValue, _ labels: [String], at time: Int64) {
    switch value {
    case .number(let number): set(number, labels, at: time)
    case .bool(let isTrue): set(isTrue ? 1 : 0, labels, at: time)
    case .null: remove(labels)
    default: ledger.refused += 1
    }
  }

  private func set(_ number: Double, _ labels: [String], at time: Int64) {
    if let former = series[labels]?.group, former != group { byGroup[former]?.remove(labels) }
    if series[labels] == nil {
      guard ledger.count < ledger.limit else {
        ledger.dropped += 1
        return
      }
      ledger.count += 1
    }
    series[labels] = Series(number: number, time: time, group: group)
    if let group { byGroup[group, default: []].insert(labels) }
  }

  private func remove(_ labels: [String]) {
    guard let former = series.removeValue(forKey: labels) else { return }
    ledger.count -= 1
    if let group = former.group { byGroup[group]?.remove(labels) }
  }

  /// Returns the text of a label's value; `nil` if it cannot be one.
  private static func text(_ value: JSONValue?) -> String? {
    let text: String
    switch value?.plain {
    case .string(let value): text = value
    case .number, .bool: text = value?.description ?? ""
    case .null, nil: text = ""
    default: return nil
    }
    return text.utf8.count <= longestLabel ? text : nil
  }

  // MARK: Endings

  /// Ends the series of a group that has ended.
  package func end(_ group: Group) {
    for labels in byGroup.removeValue(forKey: group) ?? [] { remove(labels) }
  }

  /// Ends all series: the signal has ended or starts over.
  package func endAll() {
    ledger.count -= series.count
    series = [:]
    byGroup = [:]
  }

  /// Returns the present series, after taking retained values that were adopted without an event.
  ///
  /// - Parameter now: In microseconds since 1970.
  package func samples(catchingUp retained: Retention, at now: Int64) -> [(labels: [String], number: Double)] {
    for entry in retained.all where entry.sequence > sequence {
      take(entry.payload, sequence: entry.sequence, at: entry.time)
    }
    if let idle = declaration.idle {
      let oldest = now - Int64(idle / .microseconds(1))
      for (labels, series) in series where series.time < oldest { remove(labels) }
    }
    return series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value.number) }
  }
}

import Base
import Expressions
package import GraphModel
package import JSON
import Signals

/// The last number of each series of a signal's metric.
///
/// A series is known by the values of its labels. It ends with a null, with the key of `group_by` that it comes from,
/// when it has been idle, and with the signal.
package final class MetricSeries {
  private struct Series {
    var number: Double
    var time: Int64
    var key: EmittingKey?
  }

  package let declaration: MetricDeclaration
  private let ledger: SeriesLedger
  private let environment: Environment
  private var series: [[ExactText]: Series] = [:]
  /// The series of each key of `group_by`, by the values of their labels.
  private var byKey: [EmittingKey: Set<[ExactText]>] = [:]
  /// The number of the last value taken.
  private var sequence: UInt64 = 0

  /// The maximum length of the value of a label, in bytes.
  private static let longestLabel = 256

  package init(_ declaration: MetricDeclaration, of signal: String, _ runtime: GraphRuntime) {
    self.declaration = declaration
    ledger = runtime.series
    environment = Environment(variables: [.string(signal)], limits: runtime.engine.expressionLimits)
  }

  deinit { ledger.count -= series.count }

  /// Returns true if the series remain under another declaration.
  package func serves(_ other: MetricDeclaration) -> Bool { declaration.isSame(as: other) }

  /// Takes a value of the signal.
  ///
  /// - Parameters:
  ///   - key: The key of `group_by` whose pipe has emitted it.
  ///   - time: The time of the value, in microseconds since 1970.
  package func take(_ payload: Payload, of key: EmittingKey?, sequence: UInt64, at time: Int64) {
    self.sequence = sequence
    environment.now = Double(time) / 1e6
    let value = payload.value
    do {
      guard let labels = try labels(of: value, key) else { return ledger.refused += 1 }
      let number = try declaration.value.map { try $0.expression.first(value, environment) ?? .null } ?? value
      note(number.plain, labels, key, at: time)
    } catch {
      ledger.refused += 1
    }
  }

  /// Returns the values of the labels, those of keys first; `nil` if one cannot be a label.
  private func labels(of value: JSONValue, _ key: EmittingKey?) throws(ExpressionError) -> [ExactText]? {
    var labels: [ExactText] = []
    for place in declaration.keys.indices {
      let keys = key?.keys ?? []
      guard let text = Self.text(ofKey: place < keys.count ? keys[place] : .null) else { return nil }
      labels.append(ExactText(text))
    }
    for label in declaration.labels {
      guard let text = Self.text(try label.value.expression.first(value, environment)) else { return nil }
      labels.append(ExactText(text))
    }
    return labels
  }

  private func note(_ value: JSONValue, _ labels: [ExactText], _ key: EmittingKey?, at time: Int64) {
    switch value {
    case .number(let number): set(number, labels, key, at: time)
    case .bool(let isTrue): set(isTrue ? 1 : 0, labels, key, at: time)
    case .null: remove(labels)
    default: ledger.refused += 1
    }
  }

  private func set(_ number: Double, _ labels: [ExactText], _ key: EmittingKey?, at time: Int64) {
    if let former = series[labels]?.key, former != key { remove(labels, of: former) }
    if series[labels] == nil {
      guard ledger.count < ledger.limit else {
        ledger.dropped += 1
        return
      }
      ledger.count += 1
    }
    series[labels] = Series(number: number, time: time, key: key)
    if let key { byKey[key, default: []].insert(labels) }
  }

  private func remove(_ labels: [ExactText]) {
    guard let former = series.removeValue(forKey: labels) else { return }
    ledger.count -= 1
    if let key = former.key { remove(labels, of: key) }
  }

  private func remove(_ labels: [ExactText], of key: EmittingKey) {
    byKey[key]?.remove(labels)
    if byKey[key]?.isEmpty == true { byKey[key] = nil }
  }

  /// Returns the text of a key, which may be any value: a list or an object as JSON.
  private static func text(ofKey key: JSONValue) -> String? {
    switch key.plain {
    case .array, .object: text(.string(key.description))
    default: text(key)
    }
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

  /// Ends the series of a key whose pipe has ended.
  package func end(_ key: EmittingKey) {
    for labels in byKey.removeValue(forKey: key) ?? [] { remove(labels) }
  }

  /// Ends all series: the signal has ended or starts over.
  package func endAll() {
    ledger.count -= series.count
    series = [:]
    byKey = [:]
  }

  /// Returns the present series, after taking retained values that were adopted without an event.
  ///
  /// The keys of such values are not known, so that series by keys wait for their next values.
  ///
  /// - Parameter now: In microseconds since 1970.
  package func samples(catchingUp retained: Retention, at now: Int64) -> [(labels: [String], number: Double)] {
    if declaration.keys.isEmpty {
      for entry in retained.all where entry.sequence > sequence {
        take(entry.payload, of: nil, sequence: entry.sequence, at: entry.time)
      }
    }
    if let idle = declaration.idle {
      let oldest = now - Int64(idle / .microseconds(1))
      for (labels, series) in series where series.time < oldest { remove(labels) }
    }
    return series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key.map(\.text), $0.value.number) }
  }
}

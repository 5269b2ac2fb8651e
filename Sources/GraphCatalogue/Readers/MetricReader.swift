import Base
import GraphModel

/// Reads the trait `metric` of a signal.
struct MetricReader {
  private static let keys = ["name", "labels", "value", "help", "type", "idle"]
  private static let mostLabels = 16

  let reader: DeclarationReader

  /// Returns the metric; its name is empty where the signal's own name makes it.
  ///
  /// - Parameter unit: The unit of measurement of the signal.
  func read(_ node: ConfigNode, at key: ConfigNode, unit: String?) -> MetricDeclaration? {
    let unit = unit.flatMap(MetricDeclaration.unit)
    guard let given = node.entries else {
      guard reader.bool(node) == true else { return nil }
      return MetricDeclaration(
        name: "", kind: .gauge, help: "", unit: unit, labels: nil, value: nil, idle: nil, extent: Extent(key))
    }
    let node = node.with(reader.problems.entries(given, named: Self.keys, as: "key of a metric"))
    var kind = MetricDeclaration.Kind.gauge
    if let type = node["type"] { kind = reader.context.reader(type).choice(of: MetricDeclaration.Kind.self) ?? kind }
    let name: String? = node["name"].flatMap { self.name($0, kind) }
    // A name of its own without the unit at its end has none: OpenMetrics demands both or neither.
    var ownUnit = unit
    if let name, let unit, !name.hasSuffix("_\(unit)") { ownUnit = nil }
    let help: String? = node["help"].flatMap { reader.string($0) }
    let labels: [MetricDeclaration.Label]? = node["labels"].map { self.labels($0) }
    let value: GraphExpression? = node["value"].flatMap { expression($0, "value") }
    let idle: Duration? = node["idle"].flatMap { reader.context.reader($0).duration() }
    return MetricDeclaration(
      name: name ?? "", kind: kind, help: help ?? "", unit: ownUnit, labels: labels, value: value, idle: idle,
      extent: Extent(node["name"] ?? key))
  }

  private func name(_ node: ConfigNode, _ kind: MetricDeclaration.Kind) -> String? {
    guard let text = reader.string(node) else { return nil }
    guard MetricDeclaration.isLabel(text) else {
      reader.problems.error(
        "\"\(text)\" is not a valid name of a metric: use letters, digits and _, with no digit first", at: node,
        suggestion: MetricDeclaration.name(ofSignal: text, unit: nil))
      return nil
    }
    if text.hasPrefix("signalbox_") {
      reader.problems.error("metrics whose names begin with signalbox_ are the daemon's own", at: node)
      return nil
    }
    let isTotal = text.hasSuffix("_total")
    if isTotal, kind == .gauge {
      reader.problems.error(
        "only a counter has a name ending in _total: give type: counter, or another name", at: node,
        suggestion: String(text.dropLast(6)))
      return nil
    }
    return isTotal ? String(text.dropLast(6)) : text
  }

  private func labels(_ node: ConfigNode) -> [MetricDeclaration.Label] {
    guard let entries = node.entries else {
      reader.context.reader(node).refuse(expected: "labels with their expressions, as in {room: .room}, or {} for none")
      return []
    }
    if entries.count > Self.mostLabels {
      reader.problems.error("a metric has at most \(Self.mostLabels) labels", at: node)
    }
    return entries.compactMap { entry in
      guard MetricDeclaration.isLabel(entry.name), !entry.name.hasPrefix("__") else {
        reader.problems.error(
          "\"\(entry.name)\" is not a valid label: use letters, digits and _, with no digit and no __ first",
          at: entry.key)
        return nil
      }
      if ["le", "quantile"].contains(entry.name) {
        reader.problems.error("the label \"\(entry.name)\" is reserved for histograms and summaries", at: entry.key)
        return nil
      }
      return expression(entry.value, entry.name).map { MetricDeclaration.Label(name: entry.name, value: $0) }
    }
  }

  private func expression(_ node: ConfigNode, _ name: String) -> GraphExpression? {
    GraphExpression.read(
      node, ParameterReading(reader: reader, name: name, minimum: 0, maximum: 0, variables: []))
  }
}

extension MetricDeclaration {
  /// Adds what the signal itself gives: its name, its documentation as the help, and the keys of its pipe as labels.
  mutating func complete(for signal: String, _ body: SignalBody, _ traits: SignalTraits) {
    addKeys(of: body.pipe)
    if name.isEmpty { name = Self.name(ofSignal: signal, unit: unit) }
    // The samples of a counter have that ending by themselves.
    if kind == .counter, name.hasSuffix("_total") { name.removeLast(6) }
    if help.isEmpty { help = traits.documentation ?? "Values of \(signal)." }
  }
}

/// The names of all metrics of a configuration.
enum MetricNames {
  /// Reports names that several signals have, and those made of signals' names that cannot be.
  static func check(_ signals: [SignalDeclaration], _ problems: Problems) {
    var first: [String: (signal: String, metric: MetricDeclaration)] = [:]
    for signal in signals {
      guard let metric = signal.traits.metric else { continue }
      if metric.name.hasPrefix("signalbox_") {
        problems.error(
          "the metric of \(signal.name) would be called \(metric.name), but metrics whose names begin with signalbox_ "
            + "are the daemon's own: give metric: {name: …}", at: metric.extent)
      }
      if let other = first[metric.name] {
        problems.error(
          "duplicate metric \"\(metric.name)\"", at: metric.extent,
          related: .init("also the metric of \(other.signal)", at: other.metric.extent.place))
      } else {
        first[metric.name] = (signal.name, metric)
      }
    }
  }
}

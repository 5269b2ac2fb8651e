import GraphModel

/// The path of a value through a diagram: its signals and the events between them.
struct ExplainedWay {
  /// The newest explained event of each signal.
  private var emitted: [String: SignalEvent] = [:]
  /// The events on the edges between signals.
  private var passed: [Arrow: SignalEvent] = [:]

  private struct Arrow: Hashable {
    let from: String
    let to: String
  }

  init(_ explanation: Explanation) { follow(explanation.value, to: nil) }

  /// The graphs on the path.
  var graphs: Set<String> { Set(emitted.keys.map { SignalName.graph(of: $0) }) }

  private mutating func follow(_ node: Explanation.Node, to listener: String?) {
    if case .signal = node.subject, let event = node.event {
      if emitted[node.signal] == nil { emitted[node.signal] = event }
      if let listener, listener != node.signal, passed[Arrow(from: node.signal, to: listener)] == nil {
        passed[Arrow(from: node.signal, to: listener)] = event
      }
    }
    let listener = node.signal.isEmpty ? listener : node.signal
    for cause in node.given { follow(cause, to: listener) }
    for read in node.read { if let origin = read.origin { follow(origin, to: listener) } }
  }

  /// Returns the diagram with the path marked.
  func marked(_ picture: Picture) -> Picture {
    var picture = picture
    for cluster in picture.clusters.indices {
      for node in picture.clusters[cluster].nodes.indices {
        let id = picture.clusters[cluster].nodes[node].id
        picture.clusters[cluster].nodes[node].isOnWay = emitted[Self.signal(id)] != nil
        if let event = emitted[id] {
          picture.clusters[cluster].nodes[node].lines.append(Picture.Line(text: "= \(event.brief)"))
        }
      }
    }
    for edge in picture.edges.indices {
      let (from, to) = (picture.edges[edge].from, Self.signal(picture.edges[edge].to))
      if let event = passed[Arrow(from: from, to: to)] {
        picture.edges[edge].label = event.brief
        picture.edges[edge].isOnWay = true
      } else if Self.signal(from) == to, emitted[to] != nil {
        picture.edges[edge].isOnWay = true
      }
    }
    return picture
  }

  /// Returns the signal that a node is part of.
  private static func signal(_ id: String) -> String { String(id.prefix { $0 != "/" }) }
}

extension SignalEvent {
  fileprivate var brief: String { shown.count > 30 ? String(shown.prefix(29)) + "…" : shown }
}

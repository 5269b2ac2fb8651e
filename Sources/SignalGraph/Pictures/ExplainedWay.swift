/// The way of a value through a picture: which signals lie on it, and what passed between them.
struct ExplainedWay {
  /// What each signal told, the newest event of those that are told of.
  private var told: [String: SignalEvent] = [:]
  /// What passed from one signal to another.
  private var passed: [Arrow: SignalEvent] = [:]

  private struct Arrow: Hashable {
    let from: String
    let to: String
  }

  init(_ explanation: Explanation) { follow(explanation.value, to: nil) }

  /// The graphs that lie on it.
  var graphs: Set<String> { Set(told.keys.map { SignalName.graph(of: $0) }) }

  private mutating func follow(_ node: Explanation.Node, to listener: String?) {
    if case .signal = node.subject, let event = node.event {
      if told[node.signal] == nil { told[node.signal] = event }
      if let listener, listener != node.signal, passed[Arrow(from: node.signal, to: listener)] == nil {
        passed[Arrow(from: node.signal, to: listener)] = event
      }
    }
    let listener = node.signal.isEmpty ? listener : node.signal
    for cause in node.given { follow(cause, to: listener) }
    for read in node.read { if let origin = read.origin { follow(origin, to: listener) } }
  }

  /// A picture with the way in it.
  func marked(_ picture: Picture) -> Picture {
    var picture = picture
    for cluster in picture.clusters.indices {
      for node in picture.clusters[cluster].nodes.indices {
        let id = picture.clusters[cluster].nodes[node].id
        picture.clusters[cluster].nodes[node].isOnWay = told[Self.signal(id)] != nil
        if let event = told[id] {
          picture.clusters[cluster].nodes[node].lines.append(Picture.Line(text: "= \(event.brief)"))
        }
      }
    }
    for edge in picture.edges.indices {
      let (from, to) = (picture.edges[edge].from, Self.signal(picture.edges[edge].to))
      if let event = passed[Arrow(from: from, to: to)] {
        picture.edges[edge].label = event.brief
        picture.edges[edge].isOnWay = true
      } else if Self.signal(from) == to, told[to] != nil {
        picture.edges[edge].isOnWay = true
      }
    }
    return picture
  }

  /// The signal to which a node belongs that stands for a part of it.
  private static func signal(_ id: String) -> String { String(id.prefix { $0 != "/" }) }
}

extension SignalEvent {
  fileprivate var brief: String { shown.count > 30 ? String(shown.prefix(29)) + "…" : shown }
}

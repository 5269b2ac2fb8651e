/// A diagram of graphs, independent of its output format.
struct Picture {
  struct Cluster {
    let title: String
    let documentation: String?
    var nodes: [Node] = []
  }

  struct Node {
    enum Shape {
      case input, property, source, derived, action
      /// A point that joins the values of several signals from one turn.
      case join
      /// A signal of a graph outside the diagram.
      case outside
    }

    let id: String
    let shape: Shape
    let title: String
    /// Source, operators and traits, one per line.
    var lines: [Line] = []
    var documentation: String?
    var isPrivate = false
    /// True for a signal with a severity, which has to be seen.
    var hasSeverity = false
    /// True for a node on the highlighted path.
    var isOnWay = false
    /// The nodes of a chain before this one, which it stands for.
    var folded: [String] = []
  }

  struct Line {
    let text: String
    /// True for a step that waits for the clock.
    var isTimed = false
  }

  struct Edge {
    enum Kind {
      /// Its values drive the target node.
      case value
      /// Its values are sampled, or open and close the target, but are not forwarded.
      case side
      /// Its values enter again in a turn of their own.
      case newTurn
    }

    let from: String
    let to: String
    var label: String?
    var kind = Kind.value
    /// True for an edge on the highlighted path.
    var isOnWay = false
  }

  var clusters: [Cluster] = []
  var edges: [Edge] = []
}

/// Graphs as a drawing: its parts, before it is known in which language.
struct Picture {
  struct Cluster {
    let title: String
    let documentation: String?
    var nodes: [Node] = []
  }

  struct Node {
    enum Shape {
      case input, property, source, derived, action
      /// A place where the values that several signals made in one turn come together.
      case join
      /// Of a graph that is not in the picture.
      case outside
    }

    let id: String
    let shape: Shape
    let title: String
    /// Source, operators and traits, one a line.
    var lines: [Line] = []
    var documentation: String?
    var isPrivate = false
    /// Whether it lies on the way that the picture is to show.
    var isOnWay = false
  }

  struct Line {
    let text: String
    /// Whether it waits for the clock.
    var isTimed = false
  }

  struct Edge {
    enum Kind {
      /// Its values drive the node that it leads to.
      case value
      /// It is looked at, or opens and closes, but is not passed on.
      case side
      /// It enters again, as a turn of its own.
      case newTurn
    }

    let from: String
    let to: String
    var label: String?
    var kind = Kind.value
    /// Whether it lies on the way that the picture is to show.
    var isOnWay = false
  }

  var clusters: [Cluster] = []
  var edges: [Edge] = []
}

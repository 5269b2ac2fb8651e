/// The layout of a diagram: blocks of graphs, packed so that it goes with the proportions of a screen.
///
/// Graphs that are connected share the columns of one block. If the diagram becomes much too tall in that way, each
/// graph is a block of its own, and edges between graphs cross the others. Parts of a graph that are not connected are
/// packed within it, if that makes it smaller.
struct PictureLayout {
  struct Point: Equatable {
    var x: Double
    var y: Double
  }

  struct Frame: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var middle: Double { y + height / 2 }
    var right: Double { x + width }
    var bottom: Double { y + height }
  }

  struct Size {
    let width: Double
    let height: Double
  }

  static let margin = 16.0
  /// The space below the nodes of a graph, for the values that a page writes there.
  static let foot = 24.0
  /// The height of the title of a graph.
  static let title = 22.0
  /// The gain at which each graph becomes a block of its own.
  private static let gain = 0.65

  private(set) var frames: [String: Frame] = [:]
  /// The frames around the graphs; `nil` for an empty graph.
  private(set) var clusters: [Frame?]
  /// The waypoints of each edge, in the order of the diagram's edges; an edge that leads back has only its two ends.
  private(set) var routes: [[Point]]
  /// The edges between two blocks, by their places: they have two ends, wherever these are.
  private(set) var across: Set<Int> = []
  let size: Size

  init(_ picture: Picture, gapOf label: (String) -> Double, sizeOf size: (Picture.Node) -> Size) {
    func packed(_ blocks: [PictureBlock]) -> (blocks: [PictureBlock], layouts: [PlacedBlock], packing: BlockPacking) {
      let layouts = blocks.map { PlacedBlock($0.picture, gapOf: label, sizeOf: size) }
      return (blocks, layouts, BlockPacking(layouts.map(\.size), gap: Self.margin))
    }
    let connected = PictureBlock.connected(picture)
    var chosen = packed(connected)
    if connected.contains(where: { $0.clusters.count > 1 }) {
      let single = packed(PictureBlock.single(picture))
      if single.packing.extent < Self.gain * chosen.packing.extent { chosen = single }
    }
    let total = chosen.packing.size
    self.size = Size(width: total.width + 2 * Self.margin, height: total.height + 2 * Self.margin)
    clusters = picture.clusters.map { _ in nil }
    routes = picture.edges.map { _ in [] }
    for (index, block) in chosen.blocks.enumerated() {
      let origin = chosen.packing.origins[index]
      place(block, chosen.layouts[index], at: Point(x: origin.x + Self.margin, y: origin.y + Self.margin))
    }
    connect(picture, except: Set(chosen.blocks.flatMap(\.edges)))
  }

  private mutating func place(_ block: PictureBlock, _ layout: PlacedBlock, at origin: Point) {
    for (name, frame) in layout.frames { frames[name] = frame.moved(by: origin) }
    for (cluster, frame) in zip(block.clusters, layout.clusters) { clusters[cluster] = frame?.moved(by: origin) }
    for (edge, route) in zip(block.edges, layout.routes) { routes[edge] = route.map { $0.moved(by: origin) } }
  }

  private mutating func connect(_ picture: Picture, except inside: Set<Int>) {
    for (index, edge) in picture.edges.enumerated() where !inside.contains(index) {
      guard let from = frames[edge.from], let to = frames[edge.to] else { continue }
      routes[index] = [Point(x: from.right, y: from.middle), Point(x: to.x, y: to.middle)]
      across.insert(index)
    }
  }
}

extension PictureLayout.Point {
  func moved(by offset: Self) -> Self { Self(x: x + offset.x, y: y + offset.y) }
}

extension PictureLayout.Frame {
  func moved(by offset: PictureLayout.Point) -> Self {
    Self(x: x + offset.x, y: y + offset.y, width: width, height: height)
  }
}

/// The positions within a block: shared columns, or the packed parts of a single graph.
struct PlacedBlock {
  typealias Point = PictureLayout.Point
  typealias Frame = PictureLayout.Frame
  typealias Size = PictureLayout.Size

  private(set) var frames: [String: Frame]
  private(set) var clusters: [Frame?]
  private(set) var routes: [[Point]]
  private(set) var size: Size

  /// The distance between parts, which leaves room for the values that a page writes below nodes.
  private static let gap = 24.0
  /// The gain at which the parts of a graph are packed.
  private static let gain = 0.85

  init(_ picture: Picture, gapOf label: (String) -> Double, sizeOf size: (Picture.Node) -> Size) {
    let columns = BlockLayout(picture, gapOf: label, sizeOf: size)
    (frames, clusters, routes, self.size) = (columns.frames, columns.clusters, columns.routes, columns.size)
    guard picture.clusters.count == 1 else { return }
    let parts = PictureBlock.parts(of: picture)
    if parts.count > 1 { pack(parts, parts.map { BlockLayout($0.picture, gapOf: label, sizeOf: size) }) }
  }

  private mutating func pack(_ parts: [PictureBlock], _ layouts: [BlockLayout]) {
    // Each part has been laid out as a graph, with a title and margins that the packed graph has once.
    let (across, down) = (2 * PictureLayout.margin, PictureLayout.title + PictureLayout.margin / 2 + PictureLayout.foot)
    let packing = BlockPacking(
      layouts.map { Size(width: $0.size.width - across, height: $0.size.height - down) }, gap: Self.gap)
    let packed = Size(width: packing.size.width + across, height: packing.size.height + down)
    guard BlockPacking.extent(of: packed) < Self.gain * BlockPacking.extent(of: size) else { return }
    size = packed
    clusters = [Frame(x: 0, y: 0, width: packed.width, height: packed.height)]
    for ((part, layout), origin) in zip(zip(parts, layouts), packing.origins) {
      for (name, frame) in layout.frames { frames[name] = frame.moved(by: origin) }
      for (edge, route) in zip(part.edges, layout.routes) { routes[edge] = route.map { $0.moved(by: origin) } }
    }
  }
}

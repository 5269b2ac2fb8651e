import Glibc

/// The positions of blocks on a plane with about the proportions of a screen.
///
/// Each block goes, in its order, as high as it fits, and there as far to the left. The width is the one of several that
/// gives the smallest plane.
struct BlockPacking {
  typealias Point = PictureLayout.Point
  typealias Size = PictureLayout.Size

  private(set) var origins: [Point] = []
  private(set) var size = Size(width: 0, height: 0)
  /// The height of the smallest screen that shows all.
  private(set) var extent = Double.infinity

  /// The width of a screen by its height.
  private static let proportion = 1.6
  /// The widths to try, as factors of that at which the blocks would fill the plane.
  private static let widths = [0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0]

  init(_ sizes: [Size], gap: Double) {
    let area = sizes.map { ($0.width + gap) * ($0.height + gap) }.reduce(0, +)
    let widest = sizes.map(\.width).max() ?? 0
    for factor in Self.widths {
      let packing = Self.packed(sizes, gap, within: max(widest, factor * sqrt(area * Self.proportion)))
      let extent = Self.extent(of: packing.size)
      if extent < self.extent - 1 { (origins, size, self.extent) = (packing.origins, packing.size, extent) }
    }
  }

  /// Returns the height of the smallest screen that shows a plane.
  static func extent(of size: Size) -> Double { max(size.width / proportion, size.height) }

  private static func packed(_ sizes: [Size], _ gap: Double, within width: Double) -> (origins: [Point], size: Size) {
    var origins: [Point] = []
    var (right, bottom) = (0.0, 0.0)
    var outline = PackingOutline(width: width + gap)
    for size in sizes {
      let origin = outline.add(Size(width: size.width + gap, height: size.height + gap))
      origins.append(origin)
      (right, bottom) = (max(right, origin.x + size.width), max(bottom, origin.y + size.height))
    }
    return (origins, Size(width: right, height: bottom))
  }
}

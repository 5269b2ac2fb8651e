import GraphModel
import Testing

@testable import GraphTools

@Suite struct `The graphs of a drawing` {
  private static func layout(_ graphs: [(name: String, signals: String)]) throws -> PictureLayout {
    let text = graphs.map { "  \($0.name): {signals: {\($0.signals)}}\n" }.joined()
    let picture = PictureBuilder.picture(of: try TestGraph.configuration("signalbox: 1\ngraphs:\n" + text).graphs)
    return PictureLayout(picture, gapOf: { Double($0.count) * 7 }, sizeOf: { _ in .init(width: 150, height: 60) })
  }

  private static func room(_ number: Int) -> (name: String, signals: String) {
    (
      "room\(number)",
      "t: {input: {type: number}}, warm: {from: t, pipe: [map: . > 20]}, lamp: {property: {initial: false}}"
    )
  }

  /// Returns the pairs of frames that lie upon each other.
  private static func collisions(_ frames: [PictureLayout.Frame]) -> Int {
    frames.indices.map { index in
      frames[(index + 1)...].count { other in
        let frame = frames[index]
        return frame.x < other.right && other.x < frame.right && frame.y < other.bottom && other.y < frame.bottom
      }
    }.reduce(0, +)
  }

  @Test(arguments: [2, 5, 9, 25, 60])
  func `fill a screen, in their order, none upon another`(count: Int) throws {
    let layout = try Self.layout((1...count).map(Self.room))
    let frames = layout.clusters.compactMap(\.self)
    #expect(frames.count == count && Self.collisions(frames) == 0)
    let proportion = layout.size.width / layout.size.height
    #expect((0.9...2.6).contains(proportion), "\(proportion)")
    #expect(Self.area(frames) / (layout.size.width * layout.size.height) > 0.6)
    for (frame, next) in zip(frames, frames.dropFirst()) { #expect(next.y > frame.y || next.x > frame.x) }
    for frame in frames { #expect(frame.right <= layout.size.width && frame.bottom <= layout.size.height) }
  }

  @Test func `share their columns while they are connected and fit`() throws {
    let layout = try Self.layout([
      ("a", "x: {input: {}}"), ("b", "y: {from: a.x}"), ("c", "z: {input: {}}"),
    ])
    let (first, second) = (try #require(layout.frames["a.x"]), try #require(layout.frames["b.y"]))
    #expect(second.x > first.right && layout.across.isEmpty)
    let other = try #require(layout.clusters[2])
    #expect(other.x > first.x || other.y > second.bottom)
  }

  @Test func `that are connected are spread too, when one column of them would be much too high`() throws {
    let rooms = (1...20).map(Self.room)
    let all = (1...20).map { "room\($0).warm" }.joined(separator: ", ")
    let layout = try Self.layout(rooms + [("house", "any: {merge: [\(all)]}")])
    let frames = layout.clusters.compactMap(\.self)
    #expect(frames.count == 21 && Self.collisions(frames) == 0)
    #expect((1.0...2.6).contains(layout.size.width / layout.size.height))
    #expect(layout.across.count == 20)
    for edge in layout.across {
      let route = layout.routes[edge]
      #expect(route.count == 2 && (frames[20].x...frames[20].right).contains(route[1].x))
    }
  }

  @Test func `are filled with their parts that are not connected`() throws {
    let chains = (1...12).map { "t\($0): {input: {}}, s\($0): {from: t\($0)}, lamp\($0): {property: {initial: false}}" }
    let layout = try Self.layout([("house", chains.joined(separator: ", "))])
    #expect((1.0...2.6).contains(layout.size.width / layout.size.height))
    let frames = Array(layout.frames.values)
    #expect(frames.count == 36 && Self.collisions(frames) == 0)
    let house = try #require(layout.clusters[0])
    for frame in frames {
      #expect(frame.x > house.x && frame.right < house.right && frame.y > house.y && frame.bottom < house.bottom)
    }
    #expect(layout.routes.count == 12 && layout.routes.allSatisfy { $0.count == 2 && $0[0].y == $0[1].y })
  }

  @Test func `of very different sizes leave little room between them`() {
    let sizes = (0..<40).map { (index: Int) -> PictureLayout.Size in
      PictureLayout.Size(width: Double(120 + index * 37 % 300), height: Double(60 + index * 53 % 500))
    }
    let packing = BlockPacking(sizes, gap: 16)
    let frames = zip(packing.origins, sizes).map { origin, size in
      PictureLayout.Frame(x: origin.x, y: origin.y, width: size.width, height: size.height)
    }
    #expect(Self.collisions(frames) == 0)
    #expect(Self.area(frames) / (packing.size.width * packing.size.height) > 0.55)
  }

  private static func area(_ frames: [PictureLayout.Frame]) -> Double {
    frames.reduce(0) { sum, frame in sum + frame.width * frame.height }
  }
}

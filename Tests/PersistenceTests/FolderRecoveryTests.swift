import GraphEngine
import Signals
import Testing

@testable import Persistence

/// Durable graphs that watch a folder.
@Suite struct `Durable graphs that watch a folder` {
  private func file(_ path: String, _ size: Int64 = 1) -> FolderFile {
    FolderFile(path: path, inode: 7, size: size, modified: 1)
  }

  @Test(arguments: [false, true])
  func `what is known of the files survives a kill, so that the difference can be found`(hasSnapshot: Bool) throws {
    let host = try DurableHost(
      "g: {durable: true, signals: {w: {watch: /d, pipe: [{map: '\"\\(.event) \\(.path)\"'}], replay: 10}}}")
    host.world.tell(.found([file("a"), file("b")]), .looked, .created(file("c", 300)))
    host.world.tell(FolderEvent.overflow, .removed(path: "a"), .changed(file("b", 2)), .full, .failed("x"))
    host.settle()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.kill()
    #expect(host.world.folderStarts == [nil, [file("b", 2), file("c", 300)]])
    host.world.tell(FolderEvent.removed(path: "c"))
    host.settle()
    #expect(
      host.told(of: "g.w") == [
        #"g.w 1 "created /d/c""#, #"g.w 2 "overflow null""#, #"g.w 3 "removed /d/a""#, #"g.w 4 "changed /d/b""#,
        #"g.w 5 "removed /d/c""#,
      ])
  }

  @Test func `a kill before all files were known restarts the watch`() throws {
    let host = try DurableHost("g: {durable: true, signals: {w: {watch: /d, replay: 10}}}")
    host.world.tell(FolderEvent.found([file("a")]))
    host.settle()
    try host.kill()
    #expect(host.world.folderStarts == [nil, nil])
  }
}

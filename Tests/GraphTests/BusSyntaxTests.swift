import Testing

@testable import GraphModel

/// Names, paths and signatures, with the examples of the D-Bus Specification.
@Suite struct `Names on a bus` {
  @Test(
    arguments: [
      "org.freedesktop.DBus", "com.example.MusicPlayer1", "org._7_zip.Archiver", "a.b", "_a._", "com.example.a-b",
      ":1.42", ":34-907", ":0.0",
    ].filter { $0 != ":34-907" })
  func `a bus name has two words or more, which begin with a digit only if the bus gives it`(name: String) {
    #expect(BusSyntax.busName.accepts(name))
  }

  @Test(arguments: [
    "", ".", "org", ".org.freedesktop", "org..freedesktop", "org.freedesktop.", "org.7-zip.Archiver",
    "org.free desktop",
    "org.fréé.x", ":1", ":", ":.1", "org.a:b", String(repeating: "a", count: 254) + ".b",
  ])
  func `what cannot be a bus name is none`(name: String) { #expect(!BusSyntax.busName.accepts(name)) }

  @Test func `a name has up to 255 bytes`() {
    let word = String(repeating: "a", count: 253)
    #expect(BusSyntax.busName.accepts("\(word).b") && BusSyntax.interface.accepts("\(word).b"))
    #expect(!BusSyntax.interface.accepts("\(word)a.bc"))
    #expect(BusSyntax.member.accepts("\(word)ab") && !BusSyntax.member.accepts("\(word)abc"))
  }

  @Test(arguments: ["org.freedesktop.DBus.Properties", "org._7_zip.Plugin", "a.b_c"])
  func `an interface has two words or more`(name: String) { #expect(BusSyntax.interface.accepts(name)) }

  @Test(arguments: ["", "org", ".a.b", "a..b", "a.b.", "org.7_zip.Plugin", "org.a-b", "a.b c"])
  func `what cannot be an interface is none`(name: String) { #expect(!BusSyntax.interface.accepts(name)) }

  @Test(arguments: ["GetAll", "_x", "a1"])
  func `a member is one word`(name: String) { #expect(BusSyntax.member.accepts(name)) }

  @Test(arguments: ["", "1a", "a.b", "a-b", "a b", "ü"])
  func `what cannot be a member is none`(name: String) { #expect(!BusSyntax.member.accepts(name)) }

  @Test(arguments: ["/", "/com", "/com/example/MusicPlayer1", "/1/_2", "/\(String(repeating: "a", count: 1000))"])
  func `a path is words behind slashes`(path: String) { #expect(BusSyntax.objectPath.accepts(path)) }

  @Test(arguments: ["", "com", "/com/", "//", "/com//example", "/com/ex-ample", "/com/exämple", "/com.example"])
  func `what cannot be a path is none`(path: String) { #expect(!BusSyntax.objectPath.accepts(path)) }

  @Test(arguments: [
    ("", 0), ("s", 1), ("i", 1), ("ai", 1), ("aai", 1), ("(ii)", 1), ("(i(ii))", 1), ("a(ii)", 1), ("a{sv}", 1),
    ("sa{s(iiii)}v", 3), ("ybnqiuxtdsog", 12), ("as", 1), ("aa{ss}u", 2), ("(a{ss}(v))b", 2), ("h", 1),
  ])
  func `a signature has one complete type for each argument`(text: String, count: Int) {
    #expect(BusSignature(text)?.count == count)
  }

  @Test(arguments: [
    "aa", "a", "(ii", "ii)", "()", "{sv}", "a{sv", "a{vs}", "a{s}", "a{svv}", "a{(i)s}", "z", "s s", "(", ")", "a{}",
    "a()", "é",
  ])
  func `what cannot be a signature is none`(text: String) { #expect(BusSignature(text) == nil) }

  @Test func `arrays and structures are nested 32 deep at most`() {
    func arrays(_ depth: Int) -> String { String(repeating: "a", count: depth) + "i" }
    func structures(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "i" + String(repeating: ")", count: depth)
    }
    #expect(BusSignature(arrays(32)) != nil && BusSignature(arrays(33)) == nil)
    #expect(BusSignature(structures(32)) != nil && BusSignature(structures(33)) == nil)
    #expect(BusSignature(String(repeating: "i", count: 255))?.count == 255)
    #expect(BusSignature(String(repeating: "i", count: 256)) == nil)
  }
}

import Linux
import Testing

@Suite struct `A signature of D-Bus` {
  @Test(arguments: [
    "", "y", "a{sv}", "(ii)", "aa{s(ia{uv})}av", "ssa{oay}g", String(repeating: "a", count: 32) + "i",
  ])
  func `is read and written`(text: String) throws {
    let types = try #require(BusType.types(of: text))
    #expect(types.map(\.signature).joined() == text)
  }

  @Test(arguments: [
    "z", "a", "(", "()", "(i", "i)", "a{s}", "a{vs}", "a{(i)s}", "a{sss}", "{ss}", "a{sv", "e", "r",
    String(repeating: "a", count: 33) + "i",
    String(repeating: "(", count: 33) + "i" + String(repeating: ")", count: 33),
    String(repeating: "i", count: 256),
  ])
  func `is refused where it is none`(text: String) {
    #expect(BusType.types(of: text) == nil)
  }

  @Test func `is chosen by a value without any other hint`() {
    let types: [(BusValue, String)] = [
      (.bool(true), "b"), (.integer(1), "i"), (.integer(1 << 31), "x"), (.unsigned(1 << 63), "t"), (.double(1), "d"),
      (.string(""), "s"), (.list([]), "av"), (.list([.integer(1), .integer(1 << 40)]), "ax"),
      (.list([.integer(1), .string("")]), "av"), (.list([.list([])]), "av"), (.dictionary([]), "a{sv}"),
      (.bytes([]), "ay"),
    ]
    for (value, signature) in types { #expect(value.naturalType.signature == signature) }
  }
}

@Suite struct `An address of a bus` {
  @Test(arguments: ["unix:path=/run/bus", "unix:abstract=x", "unix:path=/a;unix:path=/b", "unix:path=/a,guid=00"])
  func `is a socket of this machine`(text: String) {
    #expect(BusAddress(text)?.description == text)
  }

  @Test(arguments: [
    "", "tcp:host=localhost,port=1", "unixexec:path=/bin/sh", "unix:path=/a;tcp:host=b", "x-machine-unix:",
  ])
  func `is nothing that looks up names or starts programs`(text: String) {
    #expect(BusAddress(text) == nil)
  }

  @Test func `has unusual letters of a path escaped`() {
    #expect(BusAddress.escaped("/run/ü,x=y;z") == "/run/%c3%bc%2cx%3dy%3bz")
  }
}

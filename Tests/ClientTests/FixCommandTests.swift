import Foundation
import Testing

struct FixCommandTests {
  @Test func `fix-its are applied, and nothing else of the file changes`() throws {
    let text = "signalbox: 1  # ä\r\ngraphs: {g: {signals: {a: {inptu: {}},   b: {from: a, unit: °C, hodl: true}}}}"
    let file = try TemporaryFile("\u{FEFF}" + text)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let result = try Client.run("check", "--fix", file.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        \(file.path):2:28: replaced inptu with input
        \(file.path):2:55: replaced unit with unit_of_measurement
        \(file.path):2:65: replaced hodl with hold
        \(file.path): 1 graph, 2 signals, no errors

        """)
    let fixed = text.replacing("inptu", with: "input").replacing("unit:", with: "unit_of_measurement:")
      .replacing("hodl", with: "hold")
    #expect(try Data(contentsOf: URL(filePath: file.path)) == Data(("\u{FEFF}" + fixed).utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test func `without a fix-it the file stays, and other errors are reported`() throws {
    let text = "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}}, b: {from: nowhere}}}}\n"
    let file = try TemporaryFile(text)
    let before = try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
    let result = try Client.run("check", "--fix", file.path)
    #expect(result.status == 78)
    #expect(result.output == "\(file.path): nothing to fix\n")
    #expect(result.errors.contains("no signal \"nowhere\""))
    #expect(try file.text == text)
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int == before)
  }

  @Test func `the files of conf.d are fixed as well`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("signalbox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (main, more) = (folder.appendingPathComponent("signalbox.yaml"), folder.appendingPathComponent("conf.d/a.yaml"))
    try FileManager.default.createDirectory(at: more.deletingLastPathComponent(), withIntermediateDirectories: true)
    try "signalbox: 1\ngraphs: {g: {signals: {a: {inptu: {}}}}}\n".write(to: main, atomically: true, encoding: .utf8)
    try "signalbox: 1\ngraphs: {g: {signals: {b: {form: a}}}}\n".write(to: more, atomically: true, encoding: .utf8)
    let result = try Client.run("check", "--fix", folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try String(contentsOf: main, encoding: .utf8).contains("a: {input: {}}"))
    #expect(try String(contentsOf: more, encoding: .utf8).contains("b: {from: a}"))
  }

  @Test(arguments: ["--unit", "--expand", "--live", "--json"])
  func `nothing else is printed with it`(option: String) throws {
    let file = try TemporaryFile("signalbox: 1\n")
    #expect(try Client.run("check", "--fix", option, file.path).status == 64)
  }
}

import Glibc
import JSON
import Testing

@testable import GraphModel

struct ConfigurationReplacementTests {
  private static let world = ConfigurationWorld(
    files: ["/etc/token": "s3cret\n\n", "/run/credentials/key": "k3y\n", "/empty": "", "/binary": "\u{0}"],
    environment: [
      "PORT": "8080", "NAME": "a b", "EMPTY": "", "FLAG": "true", "INNER": "${PORT}",
      "CREDENTIALS_DIRECTORY": "/run/credentials",
    ])

  @Test(arguments: [
    ("${PORT}", "8080"), ("'${PORT}'", "\"8080\""), ("\"${PORT}\"", "\"8080\""), ("x${PORT}y", "\"x8080y\""),
    ("${FLAG}", "true"), ("${EMPTY}", "null"), ("'${EMPTY}'", "\"\""), ("${NONE:-5s}", "\"5s\""), ("${NONE:-5}", "5"),
    ("${EMPTY:-5}", "5"), ("${NONE:-}", "null"), ("${PORT:-5}", "8080"), ("${PORT:?needed}", "8080"),
    ("${INNER}", "\"${PORT}\""), ("$${PORT}", "\"${PORT}\""), ("'$$${PORT}'", "\"$${PORT}\""), ("$PORT", "\"$PORT\""),
    ("5$", "\"5$\""), ("$$", "\"$$\""), ("${file:/etc/token}", "\"s3cret\\n\""), ("${file:/empty}", "null"),
    ("${cred:key}", "\"k3y\""), ("${PORT}${PORT}", "80808080"), ("!!str ${PORT}", "\"8080\""),
    ("[\"${PORT}\", {a: '${NAME}'}]", "[\"8080\",{a:\"a b\"}]"),
  ])
  func `what stands in braces is replaced, and a plain scalar gets its type afterwards`(text: String, value: String) {
    let (read, found) = Self.world.read(text) { $0.value() }
    #expect(read?.written == value, "\(found)")
    #expect(found.isEmpty)
  }

  @Test(arguments: [
    ("${NONE}", "the environment variable NONE is not set; \"${NONE:-…}\" gives it a default"),
    ("${NONE:?say where}", "NONE: say where"), ("${EMPTY:?say where}", "EMPTY: say where"),
    ("${NONE:?}", "NONE: must be set"),
    ("${PORT", "\"${\" has no \"}\"; \"$${\" is a literal \"${\""),
    ("${file:x}", "\"${file:x}\" needs an absolute path"),
    ("${file:/none}", "cannot read /none: No such file or directory"),
    ("${cred:none}", "cannot read /run/credentials/none: No such file or directory"),
    ("${cred:../key}", "invalid credential name \"../key\""),
  ])
  func `what cannot be replaced is an error`(text: String, message: String) {
    let (read, found) = Self.world.read("'\(text)'") { $0.value() }
    #expect(read == nil)
    #expect(found.hasPrefix("f.yaml:1:1: error: \(message)\n"), "\(found)")
  }

  @Test(arguments: ["${}", "${1}", "${A B}", "${A-b}", "${A:b}", "${A:-${PORT}}", "${ä}"])
  func `what stands in braces has one of five forms`(text: String) {
    let (_, found) = Self.world.read("'\(text)'") { $0.value() }
    #expect(
      found.contains("is not one of ${VAR}, ${VAR:-default}, ${VAR:?message}, ${file:/path}, ${cred:name}"), "\(found)")
  }

  @Test func `credentials need systemd's directory`() {
    let (_, found) = ConfigurationWorld().read("'${cred:key}'") { $0.value() }
    #expect(found.contains("no credential \"key\": CREDENTIALS_DIRECTORY is not set"))
  }

  @Test(arguments: [
    ("${NONE}", Viewpoint.unit), ("${NONE:?x}", .unit), ("${NONE:?x}", .elsewhere), ("${cred:none}", .elsewhere),
    ("${file:/closed}", .elsewhere),
  ])
  func `elsewhere than where it is to run, what is left to the service is left open`(
    reference: String, viewpoint: Viewpoint
  ) {
    var world = Self.world
    world.environment["CREDENTIALS_DIRECTORY"] = nil
    var inputs = world.inputs
    let readFile = inputs.readFile
    inputs.readFile = { $0 == "/closed" ? .failure(.system(EACCES)) : readFile($0, $1) }
    inputs.viewpoint = viewpoint
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let text = "['x\(reference)', \"${PORT}\", '\(reference)']"
    let root = ConfigurationText.read(Array(text.utf8), name: "f.yaml", index: 0, problems: context.problems).root
    let readers = root?.elements?.map { context.reader($0) } ?? []
    #expect(readers.first?.text() == "x\(reference)", "any text will do, so that the rest is looked at")
    #expect(readers.last?.int() == nil)
    #expect(context.problems.diagnostics.list.map(\.severity) == [.note, .note])
    #expect(context.problems.openReferences.count == 2)
    #expect(readers.dropFirst().first?.duration() == nil && context.problems.hasErrors, "what is there is looked at")
  }

  @Test func `keys and expressions are left alone`() {
    let (value, found) = Self.world.read("'${PORT}': 1") { $0.value() }
    #expect(value?.written == "{${PORT}:1}")
    #expect(Self.world.read("'${NONE}'") { $0.expression()?.text }.value == "${NONE}")
    #expect(found.isEmpty)
  }

  @Test func `typed readers see what came in, and messages never show it`() {
    #expect(Self.world.read("${PORT}") { $0.int() }.value == 8_080)
    #expect(Self.world.read("'${NONE:-5s}'") { $0.duration() }.value == .seconds(5))
    let (_, found) = Self.world.read("${file:/etc/token}") { $0.int() }
    #expect(
      found
        == "f.yaml:1:1: error: expected an integer, found \"${file:/etc/token}\"\n  ${file:/etc/token}\n  ^~~~~~~~~~~~~~~~~~\n"
    )
  }

  @Test func `a declaration keeps the braces and its expansion does not`() {
    let (pair, found) = Self.world.read("{a: \"${PORT}\", b: '${NONE}'}") {
      ($0.node.declaration, $0.context.expanded($0.node))
    }
    #expect(pair.0.written == "{a:\"${PORT}\",b:\"${NONE}\"}")
    #expect(pair.1.written == "{a:\"8080\",b:\"${NONE}\"}")
    #expect(found.isEmpty)
  }
}

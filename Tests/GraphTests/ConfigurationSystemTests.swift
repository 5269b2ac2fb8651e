import Glibc
import GraphModel
import TestSupport
import Testing

final class ConfigurationSystemTests {
  private let directory: String

  init() throws {
    var template = Array("/tmp/signalbox-tests.XXXXXX".utf8CString)
    directory = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit {
    for name in ["conf.d/a.yaml", "signalbox.yaml", "five"] { unlink("\(directory)/\(name)") }
    for name in ["conf.d", ""] { rmdir("\(directory)/\(name)") }
  }

  private func write(_ text: String, to name: String) {
    let file = fopen("\(directory)/\(name)", "w")
    fputs(text, file)
    fclose(file)
  }

  @Test func `files and directories are read from the disk`() throws {
    mkdir("\(directory)/conf.d", 0o700)
    write("signalbox: 1\n", to: "signalbox.yaml")
    write("signalbox: 1\ngraphs: {a: {}}\n", to: "conf.d/a.yaml")
    let context = ReadingContext(problems: Problems(), inputs: .system)
    let tree = try ConfigurationLoader.load(.alone(directory), inputs: .system, context: context)
    #expect(tree.files.map(\.name) == ["\(directory)/signalbox.yaml", "\(directory)/conf.d/a.yaml"])
    #expect(tree.graphs.map(\.name) == ["a"])
  }

  @Test(arguments: ["signalbox.yaml", "demo.yaml"])
  func `the files that are shipped are read without a complaint`(name: String) throws {
    let path = Committed.path("config/\(name)")
    let context = ReadingContext(problems: Problems(), inputs: .system)
    let tree = try ConfigurationLoader.load(.alone(path), inputs: .system, context: context)
    _ = ServerSettings(reading: tree.server, context)
    #expect(DiagnosticRenderer.text(context.problems.diagnostics).isEmpty)
    #expect(tree.graphs.count == 1)
  }

  @Test func `what cannot be read has its reason`() {
    write("12345", to: "five")
    let read = ConfigurationInputs.system.readFile
    #expect(read("\(directory)/five", 5) == .success(Array("12345".utf8)))
    #expect(read("\(directory)/five", 4) == .failure(.tooLarge(limit: 4)))
    #expect(read("\(directory)/none", 4) == .failure(.missing))
    #expect(read(directory, 4) == .failure(.isDirectory))
    #expect(read("/dev/null", 4) == .failure(.notRegular))
    #expect(ConfigurationInputs.system.listDirectory("\(directory)/none") == .failure(.missing))
  }

  @Test func `a pipe is read to its end`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    Glibc.write(ends[1], "signalbox: 1\n", 13)
    close(ends[1])
    defer { close(ends[0]) }
    #expect(
      ConfigurationInputs.system.readFile("/proc/self/fd/\(ends[0])", 100) == .success(Array("signalbox: 1\n".utf8)))
  }

  @Test(arguments: [false, true]) func `a named pipe is no regular file, and nothing is waited for`(isFollowed: Bool)
    throws
  {
    let path = "\(directory)/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    // Its writer keeps it open, and says nothing.
    let writer = open(path, O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    let link = "\(directory)/link"
    try #require(symlink(path, link) == 0)
    defer { unlink(link) }
    #expect(ConfigurationInputs.system.readFile(isFollowed ? link : path, 100) == .failure(.notRegular))
  }

  @Test(.enabled(if: access("/proc/kmsg", R_OK) == 0)) func `a file without an end is not waited for`() throws {
    guard case .failure(let failure) = ConfigurationInputs.system.readFile("/proc/kmsg", 64 << 20) else {
      Issue.record("it has an end")
      return
    }
    // A container may deny it.
    #expect(
      failure.meaning == "Waits for more instead of ending" || [.system(EPERM), .system(EACCES)].contains(failure))
  }

  @Test(arguments: ["/proc/self/status", "/sys/kernel/mm/transparent_hugepage/enabled", "link"])
  func `a regular file of the kernel, or behind a link, is read`(path: String) throws {
    write("secret", to: "five")
    let link = "\(directory)/link"
    try #require(symlink("\(directory)/five", link) == 0)
    defer { unlink(link) }
    let path = path == "link" ? link : path
    if access(path, R_OK) == 0 { #expect(try !ConfigurationInputs.system.readFile(path, 1 << 20).get().isEmpty) }
  }

  @Test func `the environment is the process's own`() {
    #expect(ConfigurationInputs.system.environment("PATH") != nil)
    #expect(ConfigurationInputs.system.environment("SIGNALBOX_SURELY_NOT_SET") == nil)
  }
}

import Glibc
import Linux
import TestSupport
import Testing

@Suite struct `Regular files` {
  private let folder = TemporaryFolder()

  private func write(_ text: String, mode: UInt32 = 0o644) throws {
    try Array(text.utf8).withUnsafeBytes { try RegularFile.write($0, to: folder("f"), mode: mode) }
  }

  private func read(limit: Int = 1000) throws -> String {
    String(decoding: try RegularFile.read(folder("f"), limit: limit), as: UTF8.self)
  }

  @Test func `a file is read up to its limit and not beyond`() throws {
    try write("12345")
    #expect(try read(limit: 5) == "12345")
    #expect(throws: FileError.tooLong(path: folder("f"), limit: 4)) { try read(limit: 4) }
  }

  @Test func `a file larger than one read comes whole`() throws {
    let text = String(repeating: "0123456789", count: 30_000)
    try write(text)
    #expect(try read(limit: 300_000) == text)
  }

  @Test(arguments: ["/proc/loadavg", "/proc/self/stat", "/sys/kernel/mm/transparent_hugepage/enabled"])
  func `files that the kernel makes up are read although they appear to be empty`(path: String) throws {
    if access(path, R_OK) != 0 { return }
    #expect(!(try RegularFile.read(path, limit: 10_000).isEmpty))
  }

  @Test func `a pipe is refused at once, where reading would wait for a writer`() {
    #expect(mkfifo(folder("f"), 0o600) == 0)
    #expect(throws: FileError.notRegular(path: folder("f"))) { try read() }
  }

  @Test(arguments: ["/dev/zero", "/tmp"]) func `devices and folders are refused`(path: String) {
    #expect(throws: FileError.notRegular(path: path)) { try RegularFile.read(path, limit: 10) }
  }

  @Test func `a file that is missing is an error`() {
    #expect(throws: FileError.system(Errno(ENOENT, call: "open", subject: folder("f")))) { try read() }
  }

  @Test func `a new file has the mode that the process gives its files`() throws {
    try RegularFile.write(Array("x".utf8), to: folder("f"))
    let other = open(folder("other"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o666)
    defer { close(other) }
    var (status, expected) = (stat(), stat())
    #expect(stat(folder("f"), &status) == 0 && fstat(other, &expected) == 0)
    #expect(status.st_mode == expected.st_mode)
  }

  @Test func `replacing keeps the mode, and readers that have opened the old content keep it`() throws {
    try write("old", mode: 0o600)
    let old = OwnedDescriptor(owning: open(folder("f"), O_RDONLY | O_CLOEXEC))
    try write("new")
    #expect(try read() == "new")
    var bytes = [UInt8](repeating: 0, count: 3)
    #expect(try bytes.withUnsafeMutableBytes { try old.transfer.read(into: $0) } == .bytes(3))
    #expect(bytes == Array("old".utf8))
    var status = stat()
    #expect(stat(folder("f"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: [true, false]) func `a link stays, and what it leads to is replaced`(isThere: Bool) throws {
    try #require(symlink("target", folder("link")) == 0 && symlink("link", folder("f")) == 0)
    if isThere {
      let file = OwnedDescriptor(owning: open(folder("target"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o640))
      try file.transfer.writeAll("old")
    }
    try write("new")
    #expect(try read() == "new")
    var status = stat()
    #expect(lstat(folder("f"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(lstat(folder("target"), &status) == 0 && status.st_mode == S_IFREG | (isThere ? 0o640 : 0o644))
  }

  @Test func `replacing keeps the owner and the group, where that is permitted`() throws {
    try write("old", mode: 0o640)
    let isPermitted = chown(folder("f"), 65_534, 65_534) == 0
    try write("new")
    var status = stat()
    #expect(stat(folder("f"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(status.st_uid == (isPermitted ? 65_534 : geteuid()))
    #expect(!isPermitted || status.st_gid == 65_534)
  }
}

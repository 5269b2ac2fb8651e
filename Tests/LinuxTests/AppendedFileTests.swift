import Glibc
import Linux
import TestSupport
import Testing

@Suite struct `Files that are added to` {
  private let folder = TemporaryFolder()

  private func text(_ name: String) throws -> String {
    String(decoding: try RegularFile.read(folder(name), limit: 1000), as: UTF8.self)
  }

  private func append(_ text: String, to name: String) throws(FileError) {
    try ConfinedFile(name, below: folder("root")).append(Array(text.utf8))
  }

  init() { mkdir(folder("root"), 0o755) }

  @Test func `what is added stands at the end, whatever was there`() throws {
    try RegularFile.append(Array("1\n".utf8), to: folder("f"))
    try RegularFile.append(Array("2\n".utf8), to: folder("f"))
    #expect(try text("f") == "1\n2\n")
    // A link in the path is followed, as everywhere.
    symlink("f", folder("l"))
    try RegularFile.append(Array("3\n".utf8), to: folder("l"))
    #expect(try text("f") == "1\n2\n3\n")
  }

  @Test func `a pipe, a device and a folder are refused at once`() {
    mkfifo(folder("p"), 0o600)
    #expect(throws: FileError.self) { try RegularFile.append([49], to: folder("p")) }
    #expect(throws: FileError.notRegular(path: "/dev/null")) { try RegularFile.append([49], to: "/dev/null") }
    #expect(throws: FileError.self) { try RegularFile.append([49], to: folder.path) }
  }

  @Test func `of a line that the disk has no room for nothing is left`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder("f")
      try RegularFile.append(Array("whole\n".utf8), to: path)
      // A file size limit of the process truncates a line as a full disk does.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 10, rlim_max: 10)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #expect(throws: FileError.system(Errno(EFBIG, call: "write", subject: path))) {
        try RegularFile.append(Array("too long\n".utf8), to: path)
      }
      #expect(try RegularFile.read(path, limit: 1000) == Array("whole\n".utf8))
    }
  }

  @Test func `folders that are missing below the folder are made, and the folder itself is not`() throws {
    try append("1\n", to: "a/b/f")
    try append("2\n", to: "a/b/f")
    try ConfinedFile("a/c/g", below: folder("root")).write([51])
    try ConfinedFile("a/c/g", below: folder("root")).write([52])
    #expect(try text("root/a/b/f") == "1\n2\n")
    #expect(try text("root/a/c/g") == "4")
    #expect(throws: FileError.system(Errno(ENOENT, call: "open", subject: folder("none")))) {
      try ConfinedFile("f", below: folder("none")).append([49])
    }
    #expect(access(folder("none"), F_OK) == -1)
    // The folder may be a link: the declaration names it.
    symlink("root", folder("link"))
    try ConfinedFile("f", below: folder("link")).append([53])
    #expect(try text("root/f") == "5")
  }

  @Test(arguments: ["", ".", "..", "../x", "a/../x", "/etc/x", "a//b", "a/"])
  func `a name that leads elsewhere is refused`(name: String) {
    #expect(throws: FileError.self) { try append("1", to: name) }
    #expect(throws: FileError.self) { try ConfinedFile(name, below: folder("root")).write([49]) }
    #expect(access(folder("x"), F_OK) == -1 && access(folder("root/x"), F_OK) == -1)
  }

  @Test func `no link below the folder is followed`() throws {
    mkdir(folder("outside"), 0o755)
    try RegularFile.write([48], to: folder("outside/f"))
    symlink("../outside", folder("root/d"))
    symlink(folder("outside/f"), folder("root/f"))
    symlink(folder("outside/new"), folder("root/new"))
    for name in ["d/f", "d/new", "d/e/new", "f", "new"] {
      let path = "\(folder("root"))/\(name)"
      #expect(throws: FileError.link(path: path)) { try append("1", to: name) }
      #expect(throws: FileError.link(path: path)) { try ConfinedFile(name, below: folder("root")).write([49]) }
    }
    #expect(try text("outside/f") == "0")
    #expect(access(folder("outside/new"), F_OK) == -1 && access(folder("outside/e"), F_OK) == -1)
  }

  @Test func `a folder and a pipe in the place of the file are refused`() throws {
    mkdir(folder("root/d"), 0o755)
    mkfifo(folder("root/p"), 0o600)
    for name in ["d", "p", "p/f"] {
      #expect(throws: FileError.self) { try append("1", to: name) }
    }
    #expect(throws: FileError.self) { try ConfinedFile("d", below: folder("root")).write([49]) }
  }
}

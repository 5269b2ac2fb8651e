internal import Glibc
internal import Linux

extension Command {
  static let `init` = Command(
    name: "init", operands: "[DIRECTORY]", kinds: [.file],
    summary: "write a first configuration, or one of the cookbook",
    details: """
      Writes DIRECTORY/signalbox.yaml, by default in the current directory: one graph with its tests, explained by
      comments, and a socket in $XDG_RUNTIME_DIR. With --from, writes a copy of a file of the cookbook under its own
      name; an unknown name lists all. A file that exists is never overwritten. signalbox dev runs the result.
      """,
    options: [
      Option(name: "from", argument: "NAME", doc: "copy a file of the cookbook: heating, hysteresis and others")
    ],
    isOffline: true,
    examples: [
      Example("signalbox init", "signalbox.yaml in the current directory"),
      Example("signalbox init --from heating house", "house/heating.yaml, from the cookbook"),
    ]
  ) { invocation throws(CommandError) in
    let folder = try invocation.operands(0...1).first ?? "."
    let (name, content) =
      if let recipe = invocation.text("from") {
        ("\(recipe).yaml", try Cookbook().file(recipe))
      } else { (FirstFile.name, Array(FirstFile.text.utf8)) }
    let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    do throws(Errno) { try RegularFile.create(content, at: path) } catch {
      if error.number == EEXIST {
        throw CommandError(.unwritable, "\(path) exists already: remove it, or name another directory")
      }
      throw CommandError(.unwritable, "\(error)")
    }
    invocation.output.line("wrote \(path); next: signalbox dev \(path.asShellWord)")
  }
}

extension String {
  /// The text as a word for a shell, quoted where it has to be.
  fileprivate var asShellWord: String {
    if wholeMatch(of: /[\p{L}\p{N}_@%+=:,.\/-]+/) != nil { return self }
    return "'" + replacing("'", with: #"'\''"#) + "'"
  }
}

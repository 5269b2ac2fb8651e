internal import Glibc

/// The program that draws pictures.
enum Graphviz {
  /// Draws a text in its language to standard output.
  static func draw(_ text: String, as format: String) throws(CommandError) {
    // A file without a name, which the program may read at its own pace.
    guard let file = tmpfile() else { throw CommandError(.internal, "a temporary file: \(reason(errno))") }
    defer { fclose(file) }
    guard fputs(text, file) >= 0, fflush(file) == 0 else {
      throw CommandError(.internal, "a temporary file: \(reason(errno))")
    }
    rewind(file)
    let status = try run(["dot", "-T\(format)"], input: fileno(file))
    if status != 0 { throw CommandError(.failed, "Graphviz failed (status \(status))") }
  }

  private static func reason(_ error: Int32) -> String { String(cString: strerror(error)) }

  /// Runs a program that is looked for in PATH, and gives its exit status.
  private static func run(_ arguments: [String], input: Int32) throws(CommandError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    let strings = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, arguments[0], &actions, nil, strings, environ)
    if error == ENOENT {
      throw CommandError(
        .unreachable,
        "Graphviz draws svg, and its program \(arguments[0]) is not in PATH: install it (apt install graphviz), "
          + "or take --format dot or mermaid")
    }
    if error != 0 { throw CommandError(.internal, "\(arguments[0]): \(reason(error))") }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }
}

import CSystemd
import Glibc

/// The attributes of a child process: its standard streams, and nothing else of this process.
struct SpawnAttributes {
  let input: Int32
  let output: Int32
  let errors: Int32
  /// The descriptor that the program gets as number 3.
  var passed: Int32?

  /// Starts a program (`posix_spawn(3)`) and returns its process ID.
  func spawn(_ command: [String], _ environment: [String]) throws(Errno) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    add(to: &actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    prepare(&attributes)
    let words = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, command[0], &actions, &attributes, words, variables)
    if result != 0 { throw Errno(result, call: "exec", subject: command[0]) }
    return child
  }

  /// Starts a program that gets a signal as soon as this thread ends, in the folder of this process.
  func spawn(_ command: [String], _ environment: [String], endingBy signal: Int32) throws(Errno) -> Int32 {
    guard ProgramFile.isRunnable(command[0]) else { throw .last("exec", command[0]) }
    let words = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    let child = signalbox_spawn_bound(signal, command[0], words, variables, input, output, errors)
    if child == -1 { throw .last("fork") }
    return child
  }

  /// Closes every other descriptor, including inheritable ones.
  private func add(to actions: inout posix_spawn_file_actions_t) {
    for (stream, number) in [input, output, errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, number, Int32(stream))
    }
    if let passed { posix_spawn_file_actions_adddup2(&actions, passed, 3) }
    posix_spawn_file_actions_addclosefrom_np(&actions, passed == nil ? 3 : 4)
    posix_spawn_file_actions_addchdir_np(&actions, "/")
  }

  /// Sets a new process group and default signal handling, since the daemon blocks and ignores some signals.
  private func prepare(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }
}

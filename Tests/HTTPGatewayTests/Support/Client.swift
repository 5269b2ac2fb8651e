import Linux

/// A direct client of the daemon.
enum Client {
  /// Sends a line, and returns the answer.
  static func send(_ line: String, to socket: String) throws -> String {
    let connection = try UnixSocket.connect(path: socket)
    try connection.transfer.writeAll(line + "\n")
    var answer = ""
    while !answer.hasSuffix("\n"), let more = try connection.transfer.read(upTo: 65536), !more.isEmpty {
      answer += String(decoding: more, as: UTF8.self)
    }
    return answer
  }
}

import Foundation
import Linux
import TestSupport

/// nginx in a folder of its own, with certificates of an authority that no other program knows.
final class Nginx {
  static let program = "/usr/sbin/nginx"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  let folder = TemporaryFolder()
  let port: UInt16

  struct Failed: Error { let output: String }

  /// - Parameter server: Lines of the server that answers with TLS at the port, and at the Unix socket `socket`.
  init(_ server: String) throws {
    let probe = try TCPListener(host: "127.0.0.1", port: 0)
    port = probe.port
    _ = consume probe
    try makeCertificates()
    // Its workers run as another user.
    chmod(folder.path, 0o755)
    try """
    pid \(folder("pid"));
    error_log \(folder("error.log"));
    events {}
    http {
      access_log off;
      client_body_temp_path \(folder("body"));
      proxy_temp_path \(folder("proxy"));
      fastcgi_temp_path \(folder("fastcgi"));
      uwsgi_temp_path \(folder("uwsgi"));
      scgi_temp_path \(folder("scgi"));
      keepalive_requests 100000;
      server {
        listen 127.0.0.1:\(port) ssl http2;
        listen 127.0.0.2:\(port) ssl http2;
        listen unix:\(folder("socket"));
        ssl_certificate \(folder("server.crt"));
        ssl_certificate_key \(folder("server.key"));
        \(server)
      }
    }
    """.write(toFile: folder("nginx.conf"), atomically: true, encoding: .utf8)
    // It returns once it listens.
    try run(Self.program, "-p", folder.path, "-c", folder("nginx.conf"))
  }

  deinit {
    if let text = try? String(contentsOfFile: folder("pid"), encoding: .utf8),
      let number = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    {
      kill(number, SIGTERM)
    }
  }

  var url: String { "https://127.0.0.1:\(port)" }

  private func makeCertificates() throws {
    try openssl("req", "-x509", "-nodes", "-subj", "/CN=Test authority", "-keyout", "ca.key", "-out", "ca.crt")
    try "subjectAltName=IP:127.0.0.1,DNS:localhost".write(toFile: folder("names"), atomically: true, encoding: .utf8)
    for name in ["server", "client"] {
      try openssl("req", "-new", "-nodes", "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).csr")
      try openssl(
        "x509", "-req", "-in", "\(name).csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-out",
        "\(name).crt", "-extfile", "names")
    }
  }

  private func openssl(_ arguments: String...) throws {
    var arguments = arguments
    if arguments[0] == "req" { arguments += ["-newkey", "rsa:2048"] }
    try run("/usr/bin/openssl", arguments)
  }

  private func run(_ program: String, _ arguments: String...) throws { try run(program, arguments) }

  /// Waits for the program itself: what it leaves behind keeps running, and would keep `Process` waiting.
  private func run(_ program: String, _ arguments: [String]) throws {
    let line = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let command = "cd \(folder.path) && exec \(line) </dev/null >output 2>&1"
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sh"), strdup("-c"), strdup(command), nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    var status: Int32 = 0
    let number = posix_spawn(&child, "/bin/sh", nil, nil, &words, environ)
    guard number == 0, waitpid(child, &status, 0) == child, status == 0 else {
      throw Failed(output: (try? String(contentsOfFile: folder("output"), encoding: .utf8)) ?? "")
    }
  }
}

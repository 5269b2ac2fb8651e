/// A new secret token, and its line for the access file.
struct NewToken {
  let token: String
  private let name: String

  init(name: String) {
    self.name = name
    token = Self.random()
  }

  /// Returns random bytes in hexadecimal digits.
  static func random(bytes: Int = 32) -> String { Hexadecimal.text(of: RandomBytes.make(bytes)) }

  /// The line for the access file, with the right to read everything.
  var line: String { "token \(name) sha256:\(Hexadecimal.text(of: SHA256.digest(of: Array(token.utf8)))) read all" }

  var text: String { "\(token)\n\(line)\n" }
}

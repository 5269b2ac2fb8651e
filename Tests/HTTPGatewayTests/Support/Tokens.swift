import Foundation

@testable import HTTPGateway

/// The tests' file of tokens.
enum Tokens {
  static func file(secret: String) -> String {
    """
    # Everything, a graph to read, and one input
    token admin \(hash(RunningGateway.allToken)) read all send all call all stats
    token reader \(hash(RunningGateway.readToken)) read climate.*
    token observer \(hash(RunningGateway.statsToken)) read climate.* stats
    token sender \(hash(RunningGateway.sendToken)) send climate.raw
    hook github jobs.pushed X-Hub-Signature-256 \(secret)

    """
  }

  static func hash(_ token: String) -> String {
    "sha256:" + Hexadecimal.text(of: SHA256.digest(of: Array(token.utf8)))
  }

  static func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}

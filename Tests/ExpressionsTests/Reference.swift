import Glibc
import JSON

@testable import Expressions

/// The jq program, as the reference for what expressions mean; `JQ_PROGRAM` in the environment names another one.
enum Reference {
  static let path = getenv("JQ_PROGRAM").map { String(cString: $0) } ?? "/usr/bin/jq"

  static var isThere: Bool { access(path, X_OK) == 0 }

  /// What jq gives for each expression and its input: the outputs, and whether an error came after them.
  ///
  /// All of them are one program, since starting jq takes longer than running hundreds of expressions.
  static func run(_ pairs: [(expression: String, input: String)]) throws -> [Result] {
    let tries = pairs.enumerated().map { index, pair in
      "[try (.[\(index)] | (\(pair.expression)) | {output: .}) catch {error: true}]"
    }
    let program = "[" + tries.joined(separator: ",\n") + "]"
    let inputs = "[" + pairs.map(\.input).joined(separator: ",") + "]"
    let output = try output(of: program, inputs)
    guard case .array(let results)? = try value(of: output), results.count == pairs.count else {
      throw ReferenceFailure(text: "jq gave \(output.prefix(1000))")
    }
    return results.map(Result.init)
  }

  /// The value of jq's output, in which integers may be larger than the parser takes, but not than a literal may be.
  private static func value(of output: String) throws -> JSONValue? {
    if let value = try? parse(output) { return value }
    return try Expression(output).first(.null, Environment())
  }

  struct Result: Equatable {
    var outputs: [JSONValue] = []
    var failed = false
  }

  private static func output(of program: String, _ input: String) throws -> String {
    let name = "/tmp/expressions-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    defer { for suffix in [".jq", ".json"] { unlink(name + suffix) } }
    try write(program, to: name + ".jq")
    try write(input, to: name + ".json")
    guard let pipe = popen("timeout 60 \(path) -c -f \(name).jq \(name).json 2>&1", "r") else {
      throw ReferenceFailure(text: "jq cannot be run")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    pclose(pipe)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw ReferenceFailure(text: "cannot write \(path)") }
    fputs(text, file)
    fclose(file)
  }
}

extension Reference.Result {
  /// Reads one result of the program above.
  init(_ value: JSONValue) {
    guard case .array(let items) = value else { return }
    for item in items {
      guard case .object(let object) = item else { continue }
      if let output = object["output"] { outputs.append(output) } else { failed = true }
    }
  }

  /// What this language gives; as text and back, as jq's outputs are.
  init(_ expression: String, _ input: String) throws {
    let environment = Environment()
    let compiled = try Expression(expression)
    let value = try parse(input)
    do throws(ExpressionError) {
      try compiled.evaluate(value, environment) { output throws(ExpressionError) in
        outputs.append(output)
        return .next
      }
    } catch {
      failed = true
    }
    outputs = try outputs.map { try parse($0.description) }
  }
}

struct ReferenceFailure: Error {
  let text: String
}

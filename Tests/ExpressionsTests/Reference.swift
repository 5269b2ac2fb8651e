import Glibc
import JSON

@testable import Expressions

/// Another implementation of the language, as a reference for its semantics.
enum Reference: String, CaseIterable {
  /// The jq program of an older release, as packaged by distributions; `JQ_PROGRAM` in the environment sets another
  /// one.
  case program
  /// The present libjq, installed by `pip install jq`; `JQ_PYTHON` in the environment sets the Python that has it.
  case library

  static let installed = allCases.filter(\.isThere)

  private static let jq = getenv("JQ_PROGRAM").map { String(cString: $0) } ?? "/usr/bin/jq"
  private static let python = getenv("JQ_PYTHON").map { String(cString: $0) } ?? "python3"

  private var isThere: Bool {
    switch self {
    case .program: access(Self.jq, X_OK) == 0
    case .library:
      system("\(Self.python) -c 'import jq; jq.compile(\"trimstr(1)\")' >/dev/null 2>&1") == 0
    }
  }

  /// Returns the result for each expression and its input: the outputs, and a possible error after them.
  func run(_ pairs: [(expression: String, input: String)]) throws -> [Result] {
    switch self {
    case .program: try runTogether(pairs)
    case .library: try runEach(pairs)
    }
  }

  /// Runs all as one program, since starting jq takes longer than running hundreds of expressions.
  private func runTogether(_ pairs: [(expression: String, input: String)]) throws -> [Result] {
    let tries = pairs.enumerated().map { index, pair in
      "[try (.[\(index)] | (\(pair.expression)) | {output: .}) catch {error: .}]"
    }
    let program = "[" + tries.joined(separator: ",\n") + "]"
    let inputs = "[" + pairs.map(\.input).joined(separator: ",") + "]"
    let files = try TemporaryFiles([program, inputs])
    let output = try files.output(of: "\(Self.jq) -c -f \(files.names[0]) \(files.names[1])")
    guard case .array(let results)? = try Self.value(of: output), results.count == pairs.count else {
      throw ReferenceFailure(text: "jq gave \(output.prefix(1000))")
    }
    return results.map(Result.init)
  }

  /// Runs each as a program of its own; a line of the output is one result.
  private func runEach(_ pairs: [(expression: String, input: String)]) throws -> [Result] {
    let script = """
      import jq, json, sys
      for program, input in json.load(open(sys.argv[1])):
          # A number that was computed has no digits of its own in strings.
          program = "try ((.. | numbers) |= . * 1 | (" + program + "\\n) | {output: tojson}) catch {error: .}"
          try:
              results = jq.compile(program).input_text(input).all()
          except ValueError as error:
              results = [{"error": str(error)}]
          print(json.dumps(results))
      """
    let list = JSONValue.array(pairs.map { [.string($0.expression), .string($0.input)] })
    let files = try TemporaryFiles([script, list.description])
    let output = try files.output(of: "\(Self.python) \(files.names[0]) \(files.names[1])")
    let lines = output.split(separator: "\n")
    guard lines.count == pairs.count else { throw ReferenceFailure(text: "libjq gave \(output.suffix(1000))") }
    return try lines.map { line in
      var result = Result(try Self.value(of: String(line)) ?? .null)
      result.outputs = try result.outputs.map { try Self.value(of: $0.asString ?? "") ?? .null }
      return result
    }
  }

  /// Parses jq's output, with integers larger than the parser accepts, but not larger than a literal may be.
  private static func value(of output: String) throws -> JSONValue? {
    if let value = try? parse(output) { return value }
    return try Expression(output).first(.null, Environment())
  }
}

extension Reference {
  struct Result: Equatable {
    var outputs: [JSONValue] = []
    /// The input of `catch` for an error after them.
    var error: JSONValue?

    /// Returns true for equal results; not all messages are equal, nor the numbers in them.
    func agrees(with other: Result) -> Bool { outputs == other.outputs && (error == nil) == (other.error == nil) }
  }
}

extension Reference.Result {
  /// Decodes one result of the programs above.
  init(_ value: JSONValue) {
    guard case .array(let items) = value else { return }
    for item in items {
      guard case .object(let object) = item else { continue }
      if let output = object["output"] { outputs.append(output) } else { error = object["error"] }
    }
  }

  /// Evaluates in this implementation; the outputs are printed and parsed, as jq's are.
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
      self.error = error.caught
    }
    outputs = try outputs.map { try parse($0.description) }
  }
}

/// Texts for another program, in files with the lifetime of this object.
private final class TemporaryFiles {
  let names: [String]

  init(_ texts: [String]) throws {
    let stem = "/tmp/expressions-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    names = texts.indices.map { "\(stem).\($0)" }
    for (name, text) in zip(names, texts) {
      guard let file = fopen(name, "w") else { throw ReferenceFailure(text: "cannot write \(name)") }
      fputs(text, file)
      fclose(file)
    }
  }

  deinit { for name in names { unlink(name) } }

  func output(of command: String) throws -> String {
    guard let pipe = popen("timeout 60 \(command) 2>&1", "r") else {
      throw ReferenceFailure(text: "\(command) cannot be run")
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
}

struct ReferenceFailure: Error {
  let text: String
}

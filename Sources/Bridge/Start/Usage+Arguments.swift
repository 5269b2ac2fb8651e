internal import Glibc
internal import Linux

extension Usage {
  static func parse(_ arguments: [String]) throws(StartFailure) -> ParsedArguments {
    do throws(UsageError) {
      let parsed = try OptionParser.parse(arguments, options)
      if let operand = parsed.operands.first { throw UsageError("unexpected argument \(operand)") }
      if parsed.has("input"), !parsed.has("check") { throw UsageError("--input requires --check") }
      return parsed
    } catch { throw StartFailure(message: "\(error); see signalbox-bridge --help", status: EX_USAGE) }
  }

  static func completions(for shell: String) throws(StartFailure) -> String {
    if let script = OptionCompletions("signalbox-bridge", options).script(for: shell) { return script }
    let shells = OptionCompletions.shells.joined(separator: ", ")
    throw StartFailure(message: "unsupported shell \(shell); supported: \(shells)", status: EX_USAGE)
  }

  /// Prints a text, and returns the exit status of a program that does only that.
  static func say(_ text: String) -> Int32 {
    (try? Transfer(StandardStream.output.rawValue).writeAll(text)) == nil ? EX_IOERR : EX_OK
  }
}

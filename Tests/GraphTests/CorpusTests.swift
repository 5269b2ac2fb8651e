import Foundation
import GraphCatalogue
import GraphModel
import TestSupport
import Testing

/// Configurations with errors, each beside the printed diagnostics.
///
/// A case is a file, or a folder that is read as the daemon reads it. `UPDATE_SNAPSHOTS=1` rewrites the texts.
struct CorpusTests {
  private static let path = "Tests/GraphTests/Corpus"
  private static let folder = Committed.path(path)

  private static let cases =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasSuffix(".txt") }.sorted()

  @Test func `there are many ways to be wrong`() {
    #expect(Self.cases.count >= 60)
  }

  @Test(arguments: cases)
  func `an error is reported with its place and what to write instead`(name: String) throws {
    let text = DiagnosticRenderer.text(Self.diagnostics(of: name.contains(".") ? .alone(name) : .withAdditions(name)))
    #expect(!text.isEmpty)
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    try Committed.expect(text, at: "\(Self.path)/\(stem).txt")
  }

  private static func diagnostics(of source: ConfigurationSource) -> Diagnostics {
    do throws(ConfigurationError) {
      return try Configuration.load(source, inputs: inputs).warnings
    } catch {
      guard case .invalid(let diagnostics) = error else { return Diagnostics([]) }
      return diagnostics
    }
  }

  /// The folder's files under their own names, and no environment.
  private static let inputs = ConfigurationInputs(
    environment: { _ in nil },
    readFile: { ConfigurationInputs.system.readFile("\(folder)/\($0)", $1) },
    listDirectory: { ConfigurationInputs.system.listDirectory("\(folder)/\($0)") })
}

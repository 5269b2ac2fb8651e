import Foundation
import Testing

/// Declarations that trap document their preconditions.
@Suite struct PreconditionDocumentTests {
  private static let sources = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// A public function or initialiser: its doc comment, its parameters and its body.
  fileprivate struct Member {
    let documentation: String
    let text: String

    var name: String { String(text.prefix { $0 != "{" && $0 != "\n" }) }
  }

  /// Returns the members of extensions and types, which are indented by two columns and end with a brace there or on
  /// their first line.
  private static func members(of target: String) throws -> [Member] {
    let folder = sources.appending(path: target)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      .flatMap { path in
        members(in: try String(contentsOf: folder.appending(path: path), encoding: .utf8).components(separatedBy: "\n"))
      }
  }

  private static func members(in lines: [String]) -> [Member] {
    lines.indices.filter { isBeginning(lines[$0]) }.map { begin in
      let isOneLine = lines[begin].contains("{") && lines[begin].hasSuffix("}")
      let end = isOneLine ? begin : lines[begin...].firstIndex { $0 == "  }" } ?? begin
      let documentation = lines[..<begin].reversed().prefix { $0.hasPrefix("  ///") }
      return Member(documentation: documentation.joined(), text: lines[begin...end].joined(separator: "\n"))
    }
  }

  private static func isBeginning(_ line: String) -> Bool {
    line.hasPrefix("  ") && !line.hasPrefix("   ") && line.contains("public ")
      && (line.contains(" func ") || line.contains(" init"))
  }

  @Test(arguments: zip(["Signals", "ReactiveCore", "ReactiveTesting"], [30, 10, 0]))
  func `each member that traps has its precondition in its documentation`(target: String, least: Int) throws {
    let members = try Self.members(of: target)
    #expect(members.count > 10)
    let traps = members.filter {
      $0.text.contains("precondition(") || $0.text.contains("refuseInsideDelivery(") || $0.isCounted
    }
    #expect(traps.count >= least)
    for member in traps { #expect(member.documentation.contains("- Precondition: "), "\(member.name)") }
  }
}

extension PreconditionDocumentTests.Member {
  /// True if it takes a number of values or runs, which must not be negative.
  fileprivate var isCounted: Bool {
    let parameters = text.components(separatedBy: "->")[0]
    return ["count", "step", "index", "capacity"].contains { parameters.contains("\($0): Int") }
  }
}

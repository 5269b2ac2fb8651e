import Foundation
import JSON
import Testing

/// The path of a clone of Nicolas Seriot's JSONTestSuite.
private let suite = ProcessInfo.processInfo.environment["JSON_TEST_SUITE"]

@Suite(.enabled(if: suite != nil, "JSON_TEST_SUITE does not say where a clone of github.com/nst/JSONTestSuite is"))
struct SuiteTests {
  /// The results for the texts that the suite leaves open, by the reason.
  private static let open: [(isTaken: Bool, reason: String, names: [String])] = [
    (
      true, "a number too small for a double is zero",
      [
        "number_double_huge_neg_exp", "number_real_underflow",
      ]
    ),
    (
      false, "no double is that large",
      [
        "number_huge_exp", "number_neg_int_huge_exp", "number_pos_double_huge_exp",
        "number_real_neg_overflow", "number_real_pos_overflow",
      ]
    ),
    (
      false, "no integer of 64 bits is that large",
      [
        "number_too_big_neg_int", "number_too_big_pos_int", "number_very_big_negative_int",
      ]
    ),
    (
      false, "half a character",
      [
        "object_key_lone_2nd_surrogate", "string_1st_surrogate_but_2nd_missing",
        "string_1st_valid_surrogate_2nd_invalid", "string_incomplete_surrogate_and_escape_valid",
        "string_incomplete_surrogate_pair", "string_incomplete_surrogates_escape_valid",
        "string_invalid_lonely_surrogate", "string_invalid_surrogate", "string_inverted_surrogates_U+1D11E",
        "string_lone_second_surrogate",
      ]
    ),
    (
      false, "wrong UTF-8",
      [
        "string_UTF-8_invalid_sequence", "string_UTF8_surrogate_U+D800", "string_invalid_utf-8",
        "string_iso_latin_1", "string_lone_utf8_continuation_byte", "string_not_in_unicode_range",
        "string_overlong_sequence_2_bytes", "string_overlong_sequence_6_bytes",
        "string_overlong_sequence_6_bytes_null", "string_truncated-utf-8",
      ]
    ),
    (
      false, "another encoding, or a byte order mark",
      [
        "string_UTF-16LE_with_BOM", "string_utf16BE_no_BOM", "string_utf16LE_no_BOM",
        "structure_UTF-8_BOM_empty_object",
      ]
    ),
    (
      false, "deeper than 128 levels",
      [
        "structure_500_nested_arrays"
      ]
    ),
  ]

  @Test func `what must be taken is taken, what must be refused is refused, the rest is as listed`() throws {
    let folder = URL(filePath: suite ?? "").appending(path: "test_parsing")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
    #expect(files.count > 300)
    for file in files {
      let name = file.deletingPathExtension().lastPathComponent
      let isTaken = if case .success = parsed(Array(try Data(contentsOf: file))) { true } else { false }
      switch name.prefix(2) {
      case "y_": #expect(isTaken, "\(name)")
      case "n_": #expect(!isTaken, "\(name)")
      default:
        let group = try #require(
          Self.open.first { $0.names.contains(String(name.dropFirst(2))) }, "\(name) is not listed")
        #expect(isTaken == group.isTaken, "\(name): \(group.reason)")
      }
    }
  }
}

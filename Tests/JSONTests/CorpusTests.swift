import JSON
import Testing

/// Texts that must be taken (`y_`) and refused (`n_`), in the manner of JSONTestSuite; bytes, since some are no UTF-8.
private let corpus: KeyValuePairs<String, [UInt8]> = [
  "y_null": Array("null".utf8),
  "y_space_around": Array(" \t\r\n{ \"a\" : [ 1 , 2 ] } \n".utf8),
  "y_empty_key": Array(#"{"":0}"#.utf8),
  "y_duplicate_keys": Array(#"{"a":1,"a":2}"#.utf8),
  "y_escapes": Array(#""\"\\\/\b\f\n\r\t\u0041""#.utf8),
  "y_nul_escape": Array(#""a\u0000b""#.utf8),
  "y_surrogate_pair": Array(#""\ud83d\ude00""#.utf8),
  "y_noncharacter": Array(#""\uFFFF""#.utf8),
  "y_utf8_four_bytes": Array("\"\u{10FFFF}\"".utf8),
  "y_del": Array("\"\u{7F}\"".utf8),
  "y_number_minus_zero": Array("-0".utf8),
  "y_number_exponents": Array("[1e5,1E-5,1.5e+5,0e0]".utf8),
  "y_number_least_integer": Array("-9223372036854775808".utf8),
  "y_number_greatest_integer": Array("18446744073709551615".utf8),
  "y_number_greatest_double": Array("1.7976931348623157e308".utf8),
  "y_number_underflow": Array("1e-400".utf8),
  "y_number_long_fraction": Array("0.1000000000000000055511151231257827021181583404541015625".utf8),
  "y_line_separators_in_string": Array("\"\u{2028}\u{2029}\"".utf8),
  "y_control_escape": Array(#""\u0012""#.utf8),
  "y_empty_containers": Array("[[],{},[{}]]".utf8),
  "y_long_strings": Array("{\"x\":\"\(String(repeating: "é", count: 300))\"}".utf8),
  "n_form_feed": Array("[\u{C}]".utf8),
  "n_vertical_tab": Array("[\"a\",\u{B}1]".utf8),
  "n_no_break_space": Array("[\u{A0}]".utf8),
  "n_capital_unicode_escape": Array(#""\UA66D""#.utf8),
  "n_escaped_character": Array("\"\\🌀\"".utf8),
  "n_escape_at_end": Array(#""\"#.utf8),
  "n_number_full_width": Array("１".utf8),
  "n_number_minus_nan": Array("-NaN".utf8),
  "n_number_infinity": Array("Infinity".utf8),
  "n_number_space_within": Array("1 000".utf8),
  "n_number_two_signs": Array("--1".utf8),
  "n_number_two_points": Array("1.2.3".utf8),
  "n_number_two_exponents": Array("1e2e3".utf8),
  "n_number_point_then_exponent": Array("1.e5".utf8),
  "n_number_exponent_without_digits": Array("1.5e+".utf8),
  "n_number_leading_zeros_minus": Array("-012".utf8),
  "n_two_values_in_array": Array("[1 true]".utf8),
  "n_double_comma": Array("[1,,2]".utf8),
  "n_colon_in_array": Array(#"["a":1]"#.utf8),
  "n_object_as_key": Array("{[]:1}".utf8),
  "n_value_after_member": Array(#"{"a":"b" 1}"#.utf8),
  "n_semicolon": Array(#"{"a"; 1}"#.utf8),
  "n_unquoted_value": Array("[abc]".utf8),
  "n_closed_before_opened": Array("]".utf8),
  "n_comma_alone": Array(",".utf8),
  "n_deep_and_open": Array(repeating: UInt8(ascii: "["), count: 100_000),
  "n_nothing": [],
  "n_space_alone": Array("  ".utf8),
  "n_two_values": Array("1 2".utf8),
  "n_word": Array("nul".utf8),
  "n_word_too_long": Array("nulls".utf8),
  "n_capital_word": Array("True".utf8),
  "n_nan": Array("NaN".utf8),
  "n_single_quotes": Array("'a'".utf8),
  "n_unquoted_key": Array("{a:1}".utf8),
  "n_comment": Array("[1/**/]".utf8),
  "n_trailing_comma_array": Array("[1,]".utf8),
  "n_trailing_comma_object": Array(#"{"a":1,}"#.utf8),
  "n_leading_comma": Array("[,1]".utf8),
  "n_missing_colon": Array(#"{"a" 1}"#.utf8),
  "n_missing_value": Array(#"{"a":}"#.utf8),
  "n_number_key": Array("{1:1}".utf8),
  "n_unclosed_array": Array("[1".utf8),
  "n_unclosed_object": Array(#"{"a":1"#.utf8),
  "n_wrong_bracket": Array("[1}".utf8),
  "n_extra_bracket": Array("[1]]".utf8),
  "n_unclosed_string": Array(#"["abc"#.utf8),
  "n_control_character": Array("\"a\tb\"".utf8),
  "n_newline_in_string": Array("\"a\nb\"".utf8),
  "n_bad_escape": Array(#""\x41""#.utf8),
  "n_short_unicode_escape": Array(#""\u12""#.utf8),
  "n_no_hexadecimal": Array(#""\u12g4""#.utf8),
  "n_number_leading_zero": Array("01".utf8),
  "n_number_minus_alone": Array("-".utf8),
  "n_number_plus": Array("+1".utf8),
  "n_number_point_first": Array(".5".utf8),
  "n_number_point_last": Array("5.".utf8),
  "n_number_empty_exponent": Array("1e".utf8),
  "n_number_hexadecimal": Array("0x1".utf8),
  "n_number_with_letters": Array("12a".utf8),
  "n_integer_too_great": Array("18446744073709551616".utf8),
  "n_integer_too_small": Array("-9223372036854775809".utf8),
  "n_integer_far_too_great": Array("1000000000000000000000000".utf8),
  "n_infinite": Array("1e309".utf8),
  "n_lone_high_surrogate": Array(#""\ud800""#.utf8),
  "n_lone_low_surrogate": Array(#""\udc00""#.utf8),
  "n_high_then_letter": Array(#""\ud800A""#.utf8),
  "n_high_then_escape": Array(#""\ud800\u0041""#.utf8),
  "n_high_then_high": Array(#""\ud800\ud800\udc00""#.utf8),
  "n_lone_surrogate_in_key": Array(#"{"\udfff":1}"#.utf8),
  "n_byte_order_mark": Array("\u{FEFF}{}".utf8),
  "n_utf8_lone_continuation": [0x22, 0x80, 0x22],
  "n_utf8_overlong": [0x22, 0xC0, 0xAF, 0x22],
  "n_utf8_surrogate": [0x22, 0xED, 0xA0, 0x80, 0x22],
  "n_utf8_too_great": [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
  "n_utf8_cut_short": [0x22, 0xE2, 0x82, 0x22],
  "n_utf8_outside_of_strings": [0x5B, 0xC3, 0xA9, 0x5D],
  "n_nul_byte": [0x5B, 0x00, 0x5D],
]

struct CorpusTests {
  @Test(arguments: corpus.map { ($0.key, $0.value) })
  func `a text is taken or refused as its name says`(name: String, text: [UInt8]) {
    switch parsed(text) {
    case .success: #expect(name.hasPrefix("y_"), "\(name) was taken")
    case .failure(let error): #expect(name.hasPrefix("n_"), "\(name) was refused: \(error)")
    }
  }

  @Test(arguments: corpus.map { ($0.key, $0.value) })
  func `a text inside a line is judged as it is alone`(name: String, text: [UInt8]) {
    guard name != "n_nothing", name != "n_space_alone" else { return }
    let line = Array(#"{"op":"send","value":"#.utf8) + text + Array("}".utf8)
    var members: [JSONMember] = []
    var parser = JSONParser()
    let isObject = try? parser.readMembers(of: line.span, into: &members)
    #expect(isObject == (name.hasPrefix("y_") ? true : nil), "\(name)")
    guard isObject == true else { return }
    let value = line[members[1].value]
    #expect(Array(value) == text.trimmed, "\(name)")
  }

  @Test func `every refusal has its reason in the text, none is left unexplained`() {
    for (name, text) in corpus where name.hasPrefix("n_") {
      guard case .failure(let error) = parsed(text) else { continue }
      #expect(!error.message.contains("that the parser takes"), "\(name)")
    }
  }

  @Test func `the quick and the plain reading judge every text alike and find the same members`() throws {
    var random = SystemRandomNumberGenerator()
    let bytes = Array("{}[],:\"\\u0d8e+-. a\u{1}".utf8) + [0x80, 0xC3, 0xF0]
    var parser = JSONParser()
    var members: [JSONMember] = []
    for (name, text) in corpus {
      for _ in 0..<200 {
        var line = Array(#"{"a":1,"b" : "#.utf8) + text + Array(#" ,"c\"":[{}]}"#.utf8)
        line[Int.random(in: 0..<line.count, using: &random)] = bytes.randomElement(using: &random) ?? 0
        do throws(JSONError) {
          guard try parser.readMembers(of: line.span, into: &members) else { continue }
          #expect(membersOfRefused(line.span) == members, "\(name): \(line)")
        } catch {
          #expect(!error.message.contains("that the parser takes"), "\(name): \(line)")
        }
      }
    }
  }
}

extension [UInt8] {
  fileprivate var trimmed: [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
    return Array(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}

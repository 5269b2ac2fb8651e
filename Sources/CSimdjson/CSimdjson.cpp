#include "CSimdjson.h"

#include <simdjson.h>

#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace {

// A parser that has taken a longer text is trimmed back to this afterwards.
constexpr size_t kept_capacity = 64 * 1024;
constexpr size_t first_capacity = 4 * 1024;

int hex_digit(uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  return (byte | 0x20) - 'a' + 10;
}

// The code unit of four hexadecimal digits, known to be such.
unsigned code_unit(const uint8_t *digits) {
  return hex_digit(digits[0]) << 12 | hex_digit(digits[1]) << 8 | hex_digit(digits[2]) << 4 | hex_digit(digits[3]);
}

// True if all \u escapes of a valid text form whole characters; simdjson 3.0 lets lone low surrogates pass.
bool surrogates_are_paired(const uint8_t *text, size_t length) {
  const uint8_t *end = text + length;
  const uint8_t *at = static_cast<const uint8_t *>(memchr(text, '\\', length));
  while (at) {
    size_t escape = 2;
    if (at[1] == 'u') {
      unsigned unit = code_unit(at + 2);
      escape = 6;
      if (unit >= 0xDC00 && unit <= 0xDFFF) return false;
      if (unit >= 0xD800 && unit <= 0xDBFF) {
        if (at[6] != '\\' || at[7] != 'u') return false;
        unsigned low = code_unit(at + 8);
        if (low < 0xDC00 || low > 0xDFFF) return false;
        escape = 12;
      }
    }
    at += escape;
    at = static_cast<const uint8_t *>(memchr(at, '\\', end - at));
  }
  return true;
}

}  // namespace

struct csimdjson_parser {
  simdjson::dom::parser parser;
  std::unique_ptr<uint8_t[]> text;
  size_t capacity = 0;
  std::vector<csimdjson_member> members;

  bool reserve(size_t length, size_t max_depth) {
    // simdjson counts the document itself as a level.
    bool fits = length <= capacity && parser.max_depth() == max_depth + 1;
    return fits || allocate(length <= capacity ? capacity : length + length / 2, max_depth + 1);
  }

  bool allocate(size_t length, size_t levels) {
    if (length != capacity) {
      text.reset(new (std::nothrow) uint8_t[length + simdjson::SIMDJSON_PADDING]);
      capacity = text ? length : 0;
      if (!text || parser.doc.allocate(length)) return false;
    }
    return !parser.allocate(length, levels);
  }

  csimdjson_status parse(const uint8_t *bytes, size_t length, size_t max_depth, bool &has_escapes) {
    if (!reserve(length, max_depth)) return CSIMDJSON_OUT_OF_MEMORY;
    memcpy(text.get(), bytes, length);
    memset(text.get() + length, ' ', simdjson::SIMDJSON_PADDING);
    if (parser.implementation->parse(text.get(), length, parser.doc)) return CSIMDJSON_INVALID;
    has_escapes = memchr(text.get(), '\\', length) != nullptr;
    return has_escapes && !surrogates_are_paired(text.get(), length) ? CSIMDJSON_INVALID : CSIMDJSON_OK;
  }

  csimdjson_status find_members(size_t max_depth);
};

// Walks the tokens of a valid object; a member's value ends before the comma or brace that follows it.
csimdjson_status csimdjson_parser::find_members(size_t max_depth) {
  const uint8_t *bytes = text.get();
  const uint32_t *token = parser.implementation->structural_indexes.get();
  members.clear();
  if (bytes[*token] != '{') return CSIMDJSON_NOT_AN_OBJECT;
  token++;
  while (bytes[*token] == '"') {
    uint32_t key_start = token[0] + 1;
    uint32_t key_end = token[1] - 1;
    while (bytes[key_end] != '"') key_end--;
    token += 2;
    uint32_t value_start = *token;
    uint32_t value_end;
    if ((bytes[value_start] | 0x20) == '{') {  // '[' is 0x5B and '{' is 0x7B
      size_t depth = 1;
      size_t open = 0;
      do {
        uint8_t byte = bytes[*token++] | 0x20;
        if (byte == '{') {
          open++;
          if (depth + open > max_depth) return CSIMDJSON_INVALID;
        } else if (byte == '}') {
          open--;
        }
      } while (open);
      value_end = token[-1] + 1;
    } else {
      token++;
      value_end = *token;
      while (bytes[value_end - 1] <= ' ') value_end--;
    }
    members.push_back({key_start, key_end - key_start, value_start, value_end - value_start});
    if (bytes[*token] == ',') token++;
  }
  return CSIMDJSON_OK;
}

csimdjson_parser *csimdjson_create(void) {
  auto *parser = new (std::nothrow) csimdjson_parser;
  if (parser && !parser->reserve(first_capacity, 128)) {
    delete parser;
    return nullptr;
  }
  return parser;
}

void csimdjson_destroy(csimdjson_parser *parser) { delete parser; }

csimdjson_parser *csimdjson_of_this_thread(void) {
  thread_local std::unique_ptr<csimdjson_parser> parser;
  if (!parser) parser.reset(csimdjson_create());
  return parser.get();
}

csimdjson_object csimdjson_parse_object(csimdjson_parser *parser, const uint8_t *text, size_t length, size_t max_depth) {
  csimdjson_object object{};
  object.status = parser->parse(text, length, max_depth, object.has_escapes);
  if (object.status == CSIMDJSON_OK) object.status = parser->find_members(max_depth);
  object.count = static_cast<uint32_t>(parser->members.size());
  object.members = parser->members.data();
  return object;
}

csimdjson_document csimdjson_parse(csimdjson_parser *parser, const uint8_t *text, size_t length, size_t max_depth) {
  csimdjson_document document{};
  document.status = parser->parse(text, length, max_depth, document.has_escapes);
  document.tape = parser->parser.doc.tape.get();
  document.strings = parser->parser.doc.string_buf.get();
  document.text = parser->text.get();
  document.structurals = parser->parser.implementation->structural_indexes.get();
  return document;
}

void csimdjson_trim(csimdjson_parser *parser) {
  if (parser->capacity <= kept_capacity) return;
  parser->allocate(kept_capacity, parser->parser.max_depth());
  if (parser->members.capacity() > 1024) std::vector<csimdjson_member>().swap(parser->members);
}

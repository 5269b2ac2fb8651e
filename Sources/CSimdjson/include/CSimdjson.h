// simdjson's DOM parser behind a C face, with the source position of every token.
//
// The document (its "tape") says what was read; the structural indexes of simdjson's first stage say where: one offset
// for each of `{ } [ ] : ,` and for the first byte of each string, number and word, in the order of the text. Tape and
// indexes are walked side by side, so nothing is parsed a second time to find the text of a value.
//
// The result points into the parser and lasts until its next call.
#ifndef C_SIMDJSON_H
#define C_SIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser with its buffers. It grows to the longest text and shrinks again after one that is unusually long.
typedef struct csimdjson_parser csimdjson_parser;

typedef enum {
  CSIMDJSON_OK = 0,
  /// Not JSON, or JSON that no parser here takes; the caller finds out what is wrong with the text.
  CSIMDJSON_INVALID = 1,
  /// JSON, but not an object where one was asked for.
  CSIMDJSON_NOT_AN_OBJECT = 2,
  CSIMDJSON_OUT_OF_MEMORY = 3,
} csimdjson_status;

/// A member of an object: offsets count bytes of the text; the key stands without its quotes.
typedef struct {
  uint32_t key_start;
  uint32_t key_length;
  uint32_t value_start;
  uint32_t value_length;
} csimdjson_member;

typedef struct {
  csimdjson_status status;
  uint32_t count;
  const csimdjson_member *members;
  /// True if any string of the text, a key or a value, contains an escape.
  bool has_escapes;
} csimdjson_object;

typedef struct {
  csimdjson_status status;
  /// simdjson's tape: a type in the upper 8 bits of each word (doc/tape.md of simdjson).
  const uint64_t *tape;
  /// The unescaped strings: 4 bytes of length, then the bytes.
  const uint8_t *strings;
  const uint8_t *text;
  const uint32_t *structurals;
  bool has_escapes;
} csimdjson_document;

/// A new parser, or NULL where there is no memory.
csimdjson_parser *csimdjson_create(void);
void csimdjson_destroy(csimdjson_parser *parser);

/// The parser of the calling thread, which is made on its first call and ends with it; NULL where there is no memory.
csimdjson_parser *csimdjson_of_this_thread(void);

/// Validates a text and finds the top-level members of the object that it must be.
csimdjson_object csimdjson_parse_object(csimdjson_parser *parser, const uint8_t *text, size_t length, size_t max_depth);

/// Validates a text and gives the document; empty containers one level too deep are left to the caller.
csimdjson_document csimdjson_parse(csimdjson_parser *parser, const uint8_t *text, size_t length, size_t max_depth);

/// Gives back what an unusually long text made the parser allocate.
void csimdjson_trim(csimdjson_parser *parser);

#ifdef __cplusplus
}
#endif
#endif

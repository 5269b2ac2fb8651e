#include "CSimdjson.h"
#include <simdjson.h>
extern "C" int csimdjson_probe(const char *t, unsigned long n) {
  simdjson::dom::parser p; if (p.allocate(65536, 128)) return -2; simdjson::dom::element e;
  if (p.parse(t, n, true).get(e)) return -1;
  return (int)p.implementation->n_structural_indexes;
}

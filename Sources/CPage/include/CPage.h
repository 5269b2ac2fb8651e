#pragma once
#include <stddef.h>

// The files of the page, as the compiler has put them into the program.
struct page_file {
  const unsigned char *bytes;
  size_t count;
};

extern const struct page_file cpage_html;
extern const struct page_file cpage_css;
extern const struct page_file cpage_js;

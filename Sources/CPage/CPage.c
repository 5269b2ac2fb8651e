#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page.html"
};
static const unsigned char css[] = {
#embed "page.css"
};
static const unsigned char js[] = {
#embed "page.js"
};

const struct page_file cpage_html = {html, sizeof html};
const struct page_file cpage_css = {css, sizeof css};
const struct page_file cpage_js = {js, sizeof js};

#include <oniguruma.h>

// Things that Swift cannot import: macros for addresses, and a function with variable arguments.

static inline OnigEncoding conig_utf8(void) { return ONIG_ENCODING_UTF8; }

static inline OnigSyntaxType *conig_perl_syntax(void) { return ONIG_SYNTAX_PERL_NG; }

static inline int conig_error_text(OnigUChar *text, int code, OnigErrorInfo *info) {
  return onig_error_code_to_str(text, code, info);
}

// The C library's header shows it to those alone who ask for X/Open's functions, which Swift's module does not.
#include <time.h>
char *strptime(const char *text, const char *format, struct tm *time);

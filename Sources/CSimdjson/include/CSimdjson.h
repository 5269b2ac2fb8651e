#ifndef C_SIMDJSON_H
#define C_SIMDJSON_H
#ifdef __cplusplus
extern "C" {
#endif
int csimdjson_probe(const char *text, unsigned long length);
#ifdef __cplusplus
}
#endif
#endif

#include <oniguruma.h>

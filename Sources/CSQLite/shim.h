#ifndef SIGNALBOX_CSQLITE_H
#define SIGNALBOX_CSQLITE_H

#include <sqlite3.h>

// sqlite3_db_config takes a variable number of arguments, which Swift cannot pass.
static inline int signalbox_configure(sqlite3 *connection, int setting, int isOn) {
  return sqlite3_db_config(connection, setting, isOn, (int *)0);
}

#endif

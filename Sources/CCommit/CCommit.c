#include "CCommit.h"

// Package.swift defines it from the environment, which scripts/commit tells. In C, so that another commit compiles this
// file anew and nothing else.
#ifndef SIGNALBOX_COMMIT
#define SIGNALBOX_COMMIT ""
#endif

const char *built_commit(void) { return SIGNALBOX_COMMIT; }

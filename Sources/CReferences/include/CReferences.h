#ifndef C_REFERENCES_H
#define C_REFERENCES_H

// A program that links this target counts references without atomic instructions while it has one thread.

/// Counts references by atomic instructions from now on, as a program without this target does: for comparisons.
void signalbox_count_references_atomically(void);

#endif

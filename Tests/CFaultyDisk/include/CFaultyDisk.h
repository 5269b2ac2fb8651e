#ifndef SIGNALBOX_CFAULTY_DISK_H
#define SIGNALBOX_CFAULTY_DISK_H

// A layer between SQLite and the files of chosen folders that counts the operations that change something there, writes
// them down, and makes one of them fail or end the process.
//
// In a program of one's own it begins with the first call. In another one it begins by itself, where that is started
// with LD_PRELOAD=libFaultyDisk.so and
//
//     FAULTY_DISK="FOLDER FAULT NUMBER [TRACE]"      FAULT: watch, fail, full, kill-before, kill-after
//
// Opening a file that is not there, writing, truncating, syncing and deleting count, from 1; -shm files do not, which
// nothing reads after a crash.

enum faulty_disk_fault {
  FAULTY_DISK_WATCH,
  // The operation fails once, a write after half of it: with SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC and so on.
  FAULTY_DISK_FAIL,
  // This write and all others fail with SQLITE_FULL until there is room again.
  FAULTY_DISK_FULL,
  FAULTY_DISK_KILL_BEFORE,
  FAULTY_DISK_KILL_AFTER,
};

// What stands in a trace: this, the name of the file in its folder, and the bytes of a write.
enum faulty_disk_operation {
  FAULTY_DISK_CREATE = 1,
  FAULTY_DISK_WRITE,
  FAULTY_DISK_TRUNCATE,
  FAULTY_DISK_SYNC,
  FAULTY_DISK_DELETE,
};

struct faulty_disk_record {
  unsigned char operation;
  // Whether it was carried out.
  unsigned char succeeded;
  unsigned short name_length;
  unsigned int byte_count;
  // Where it is written, or how long the file is afterwards.
  long long offset;
};

// Watches a folder from now on; the trace is a file, or NULL. Gives a number for the calls below, or -1.
int faulty_disk_arm(const char *folder, enum faulty_disk_fault fault, long number, const char *trace);
// The operations so far.
long faulty_disk_operations(int armed);
// Whether the fault has happened.
int faulty_disk_happened(int armed);
// Lets everything through again; operations are still counted and written down.
void faulty_disk_mend(int armed);
// From now on writes find no room, whatever the fault was.
void faulty_disk_fill(int armed);
// Ends the watching.
void faulty_disk_disarm(int armed);

#endif

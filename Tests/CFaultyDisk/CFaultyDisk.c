#define _GNU_SOURCE
#include "CFaultyDisk.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// A folder that is watched. They stay until the process ends, since files refer to them.
struct watch {
  struct watch *next;
  int armed;
  char *folder;
  size_t length;
  enum faulty_disk_fault fault;
  long number, operations;
  _Atomic int is_over;
  int has_happened, is_mended;
  int trace;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct watch *watches;
static int watch_count;
static sqlite3_vfs *system_files;

struct file {
  sqlite3_file base;
  struct watch *watch;
  const char *name;
  sqlite3_file *real;
};

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// MARK: Counting

// An operation that is to be carried out, unless there is a fault.
struct attempt {
  struct watch *watch;
  const char *name;
  enum faulty_disk_operation operation;
  long long offset;
  const void *bytes;
  int byte_count;
};

enum verdict { ALLOWED, FAILING, FULL };

// With the mutex held: the n-th operation is decided on, carried out and written down before the next is.
static enum verdict begin(struct attempt *attempt) {
  struct watch *watch = attempt->watch;
  long number = ++watch->operations;
  if (watch->is_mended) return ALLOWED;
  switch (watch->fault) {
  case FAULTY_DISK_KILL_BEFORE:
    if (number == watch->number) die();
    return ALLOWED;
  case FAULTY_DISK_FAIL:
    if (number != watch->number) return ALLOWED;
    watch->has_happened = 1;
    return FAILING;
  case FAULTY_DISK_FULL:
    if (number < watch->number || attempt->operation != FAULTY_DISK_WRITE) return ALLOWED;
    watch->has_happened = 1;
    return FULL;
  default: return ALLOWED;
  }
}

static void end(struct attempt *attempt, int succeeded) {
  struct watch *watch = attempt->watch;
  if (watch->trace >= 0) {
    struct faulty_disk_record record = {
      .operation = attempt->operation, .succeeded = succeeded, .name_length = strlen(attempt->name),
      .byte_count = attempt->byte_count, .offset = attempt->offset,
    };
    struct iovec parts[] = {
      {&record, sizeof record},
      {(void *)attempt->name, record.name_length},
      {(void *)attempt->bytes, record.byte_count},
    };
    ssize_t all = sizeof record + record.name_length + record.byte_count;
    if (writev(watch->trace, parts, 3) != all) abort();
  }
  if (watch->fault == FAULTY_DISK_KILL_AFTER && watch->operations == watch->number && !watch->is_mended) die();
}

// MARK: Files

static sqlite3_file *real(sqlite3_file *file) { return ((struct file *)file)->real; }

static int is_watched(sqlite3_file *file) {
  struct watch *watch = ((struct file *)file)->watch;
  return watch && !watch->is_over;
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *below = real(file);
  if (!is_watched(file)) return below->pMethods->xWrite(below, bytes, count, offset);
  pthread_mutex_lock(&mutex);
  struct attempt attempt = {
    ((struct file *)file)->watch, ((struct file *)file)->name, FAULTY_DISK_WRITE, offset, bytes, count,
  };
  enum verdict verdict = begin(&attempt);
  // A disk that is full or fails has taken a part.
  if (verdict != ALLOWED) attempt.byte_count = count / 2;
  int result = attempt.byte_count > 0 ? below->pMethods->xWrite(below, bytes, attempt.byte_count, offset) : SQLITE_OK;
  end(&attempt, result == SQLITE_OK);
  pthread_mutex_unlock(&mutex);
  if (result != SQLITE_OK) return result;
  return verdict == ALLOWED ? SQLITE_OK : verdict == FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  sqlite3_file *below = real(file);
  if (!is_watched(file)) return below->pMethods->xTruncate(below, size);
  pthread_mutex_lock(&mutex);
  struct attempt attempt = {
    ((struct file *)file)->watch, ((struct file *)file)->name, FAULTY_DISK_TRUNCATE, size, "", 0,
  };
  enum verdict verdict = begin(&attempt);
  int result = verdict == ALLOWED ? below->pMethods->xTruncate(below, size) : SQLITE_IOERR_TRUNCATE;
  end(&attempt, result == SQLITE_OK);
  pthread_mutex_unlock(&mutex);
  return result;
}

static int file_sync(sqlite3_file *file, int flags) {
  sqlite3_file *below = real(file);
  if (!is_watched(file)) return below->pMethods->xSync(below, flags);
  pthread_mutex_lock(&mutex);
  struct attempt attempt = {((struct file *)file)->watch, ((struct file *)file)->name, FAULTY_DISK_SYNC, 0, "", 0};
  enum verdict verdict = begin(&attempt);
  // It would only take time: no power is cut.
  int result = verdict == ALLOWED ? SQLITE_OK : SQLITE_IOERR_FSYNC;
  end(&attempt, result == SQLITE_OK);
  pthread_mutex_unlock(&mutex);
  return result;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int lock) { return real(file)->pMethods->xLock(real(file), lock); }

static int file_unlock(sqlite3_file *file, int lock) { return real(file)->pMethods->xUnlock(real(file), lock); }

static int file_check_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int file_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_map_shared(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int file_lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_unmap_shared(sqlite3_file *file, int delete) {
  return real(file)->pMethods->xShmUnmap(real(file), delete);
}

static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
  .xShmMap = file_map_shared,
  .xShmLock = file_lock_shared,
  .xShmBarrier = file_barrier,
  .xShmUnmap = file_unmap_shared,
};

// MARK: Names

// With the mutex held: the watched folder that a path lies in, and its name there.
static struct watch *find(const char *path, const char **name) {
  if (!path) return NULL;
  for (struct watch *watch = watches; watch; watch = watch->next) {
    if (watch->is_over || strncmp(path, watch->folder, watch->length) != 0 || path[watch->length] != '/') continue;
    *name = path + watch->length + 1;
    return watch;
  }
  return NULL;
}

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *opened, int flags, int *out_flags) {
  struct file *file = (struct file *)opened;
  memset(file, 0, sizeof *file);
  file->real = (sqlite3_file *)(file + 1);
  pthread_mutex_lock(&mutex);
  // SQLite keeps the path until the file is closed.
  file->watch = find(path, &file->name);
  int result;
  if (file->watch && (flags & SQLITE_OPEN_CREATE) && access(path, F_OK) != 0) {
    struct attempt attempt = {file->watch, file->name, FAULTY_DISK_CREATE, 0, "", 0};
    enum verdict verdict = begin(&attempt);
    result = SQLITE_CANTOPEN;
    if (verdict == ALLOWED) result = system_files->xOpen(system_files, path, file->real, flags, out_flags);
    end(&attempt, result == SQLITE_OK);
  } else {
    result = system_files->xOpen(system_files, path, file->real, flags, out_flags);
  }
  pthread_mutex_unlock(&mutex);
  // Whatever came of it: with methods it will be closed.
  if (file->real->pMethods) file->base.pMethods = &methods;
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  const char *name = NULL;
  pthread_mutex_lock(&mutex);
  struct watch *watch = find(path, &name);
  int result;
  if (watch && access(path, F_OK) == 0) {
    struct attempt attempt = {watch, name, FAULTY_DISK_DELETE, sync, "", 0};
    enum verdict verdict = begin(&attempt);
    result = verdict == ALLOWED ? system_files->xDelete(system_files, path, sync) : SQLITE_IOERR_DELETE;
    end(&attempt, result == SQLITE_OK);
  } else {
    result = system_files->xDelete(system_files, path, sync);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

static sqlite3_vfs faulty;

static void install(void) {
  system_files = sqlite3_vfs_find(NULL);
  if (!system_files) abort();
  // All else is the system's: the functions that are not replaced do not use their first argument.
  faulty = *system_files;
  faulty.pNext = NULL;
  faulty.zName = "faulty";
  faulty.szOsFile = sizeof(struct file) + system_files->szOsFile;
  faulty.xOpen = vfs_open;
  faulty.xDelete = vfs_delete;
  if (sqlite3_vfs_register(&faulty, 1) != SQLITE_OK) abort();
}

// MARK: From outside

int faulty_disk_arm(const char *folder, enum faulty_disk_fault fault, long number, const char *trace) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  struct watch *watch = calloc(1, sizeof *watch);
  if (!watch) return -1;
  // SQLite asks for files by their real paths.
  watch->folder = realpath(folder, NULL);
  if (!watch->folder) watch->folder = strdup(folder);
  watch->length = strlen(watch->folder);
  watch->fault = fault;
  watch->number = number;
  watch->trace = trace ? open(trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (trace && watch->trace == -1) return -1;
  pthread_mutex_lock(&mutex);
  watch->armed = watch_count++;
  watch->next = watches;
  watches = watch;
  pthread_mutex_unlock(&mutex);
  return watch->armed;
}

static struct watch *watch_of(int armed) {
  for (struct watch *watch = watches; watch; watch = watch->next)
    if (watch->armed == armed) return watch;
  abort();
}

long faulty_disk_operations(int armed) {
  pthread_mutex_lock(&mutex);
  long operations = watch_of(armed)->operations;
  pthread_mutex_unlock(&mutex);
  return operations;
}

int faulty_disk_happened(int armed) {
  pthread_mutex_lock(&mutex);
  int has_happened = watch_of(armed)->has_happened;
  pthread_mutex_unlock(&mutex);
  return has_happened;
}

void faulty_disk_mend(int armed) {
  pthread_mutex_lock(&mutex);
  watch_of(armed)->is_mended = 1;
  pthread_mutex_unlock(&mutex);
}

void faulty_disk_fill(int armed) {
  pthread_mutex_lock(&mutex);
  struct watch *watch = watch_of(armed);
  watch->fault = FAULTY_DISK_FULL;
  watch->number = watch->operations + 1;
  watch->has_happened = watch->is_mended = 0;
  pthread_mutex_unlock(&mutex);
}

void faulty_disk_disarm(int armed) {
  pthread_mutex_lock(&mutex);
  struct watch *watch = watch_of(armed);
  watch->is_over = 1;
  if (watch->trace >= 0) close(watch->trace);
  watch->trace = -1;
  pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void begin_by_itself(void) {
  static const char *const names[] = {"watch", "fail", "full", "kill-before", "kill-after"};
  const char *text = getenv("FAULTY_DISK");
  if (!text) return;
  char folder[1024], fault[32], trace[1024];
  long number = 0;
  int count = sscanf(text, "%1023s %31s %ld %1023s", folder, fault, &number, trace);
  for (int index = 0; count >= 3 && index < 5; index++) {
    if (strcmp(names[index], fault) != 0) continue;
    if (faulty_disk_arm(folder, index, number, count == 4 ? trace : NULL) < 0) break;
    // Not for the programs that this one starts.
    unsetenv("FAULTY_DISK");
    unsetenv("LD_PRELOAD");
    return;
  }
  fprintf(stderr, "FAULTY_DISK: cannot be used: %s\n", text);
  abort();
}

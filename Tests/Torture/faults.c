/* Loaded before a program (LD_PRELOAD), fails its calls to the system as a bad disk does.
 *
 * Counted are calls on regular files above the standard streams. FAULT_KINDS names which (letters:
 * r read, w write, s sync, t truncate, n rename and unlink, o open), FAULT_AT the first that fails,
 * FAULT_FOR how many do, FAULT_ERRNO with which error; 0 is a write of half of what was asked.
 * FAULT_TOLD is a file that takes how many calls were counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *kinds = "";
static long first, count;
static int error;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
  const char *value;
  if ((value = getenv("FAULT_KINDS"))) kinds = value;
  if ((value = getenv("FAULT_AT"))) first = atol(value);
  if ((value = getenv("FAULT_FOR"))) count = atol(value);
  if ((value = getenv("FAULT_ERRNO"))) error = atoi(value);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_TOLD");
  if (!path) return;
  kinds = "";
  FILE *file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

static int fails(char kind) {
  if (!strchr(kinds, kind)) return 0;
  long call = atomic_fetch_add(&calls, 1) + 1;
  return first && call >= first && call < first + count;
}

static int is_file(int descriptor) {
  struct stat64 status;
  return descriptor > 2 && fstat64(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

static int faulty(char kind, int descriptor) {
  int saved = errno;
  int answer = is_file(descriptor) && fails(kind);
  errno = saved;
  return answer;
}

#define REAL(name, ...)                                   \
  static __typeof__(name) *real;                          \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define FAIL return errno = error, -1

/* A read that fails with 0 ends early instead: the file ended, as one that was cut. */
ssize_t read(int fd, void *bytes, size_t size) {
  REAL(read);
  if (faulty('r', fd)) { if (error) FAIL; return real(fd, bytes, size / 2); }
  return real(fd, bytes, size);
}
ssize_t pread(int fd, void *bytes, size_t size, off_t at) {
  REAL(pread);
  if (faulty('r', fd)) { if (error) FAIL; return real(fd, bytes, size / 2, at); }
  return real(fd, bytes, size, at);
}
ssize_t pread64(int fd, void *bytes, size_t size, off64_t at) {
  REAL(pread64);
  if (faulty('r', fd)) { if (error) FAIL; return real(fd, bytes, size / 2, at); }
  return real(fd, bytes, size, at);
}
ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(write);
  if (faulty('w', fd)) { if (error) FAIL; return real(fd, bytes, size / 2); }
  return real(fd, bytes, size);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  REAL(pwrite);
  if (faulty('w', fd)) { if (error) FAIL; return real(fd, bytes, size / 2, at); }
  return real(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  REAL(pwrite64);
  if (faulty('w', fd)) { if (error) FAIL; return real(fd, bytes, size / 2, at); }
  return real(fd, bytes, size, at);
}
ssize_t writev(int fd, const struct iovec *parts, int size) {
  REAL(writev);
  if (error && faulty('w', fd)) FAIL;
  return real(fd, parts, size);
}
int fsync(int fd) {
  REAL(fsync);
  if (error && faulty('s', fd)) FAIL;
  return real(fd);
}
int fdatasync(int fd) {
  REAL(fdatasync);
  if (error && faulty('s', fd)) FAIL;
  return real(fd);
}
int ftruncate(int fd, off_t size) {
  REAL(ftruncate);
  if (error && faulty('t', fd)) FAIL;
  return real(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  REAL(ftruncate64);
  if (error && faulty('t', fd)) FAIL;
  return real(fd, size);
}
int rename(const char *from, const char *to) {
  REAL(rename);
  if (error && fails('n')) FAIL;
  return real(from, to);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  REAL(renameat2);
  if (error && fails('n')) FAIL;
  return real(from_folder, from, to_folder, to, flags);
}
int unlink(const char *path) {
  REAL(unlink);
  if (error && fails('n')) FAIL;
  return real(path);
}

/* Folders of the system are left alone: no program starts without its libraries. */
static int is_own(const char *path) {
  static const char *others[] = {"/proc", "/sys", "/dev", "/lib", "/usr", "/etc"};
  for (int i = 0; i < 6; i++)
    if (strncmp(path, others[i], strlen(others[i])) == 0) return 0;
  return 1;
}

#define OPENS(name)                                       \
  int name(const char *path, int flags, ...) {            \
    REAL(name);                                           \
    va_list list;                                         \
    va_start(list, flags);                                \
    mode_t mode = va_arg(list, mode_t);                   \
    va_end(list);                                         \
    if (error && is_own(path) && fails('o')) FAIL;        \
    return real(path, flags, mode);                       \
  }
OPENS(open)
OPENS(open64)

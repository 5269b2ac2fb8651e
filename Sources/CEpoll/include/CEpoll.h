// Declarations missing from Swift's Glibc module.
#include <sys/epoll.h>

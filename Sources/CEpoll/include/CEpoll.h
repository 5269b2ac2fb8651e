// What Swift's Glibc module leaves out.
#include <sys/epoll.h>

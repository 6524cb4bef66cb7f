/* Whether clang's or gcc's address sanitizer watches: it has a malloc of its own, maps terabytes, and traces the process. */
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

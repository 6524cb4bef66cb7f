// What peer.cc calls in the shared libraries and in the C file.
#ifndef PEER_LIBPEER_H
#define PEER_LIBPEER_H

#include <cstddef>
#include <string>
#include <vector>

namespace lib {

// Appends n strings of the given length.
void fill(std::vector<std::string> &to, int n, std::size_t length);

// A stack that goes program -> library -> program.
void call_back(void (*f)(int), int n);

class store {
public:
	explicit store(std::size_t n);
	~store();
	store(const store &) = delete;
	store &operator=(const store &) = delete;
	void *operator[](std::size_t size);

private:
	void **slots_;
	std::size_t n_, used_;
};

}  // namespace lib

extern "C" {
void *c_table(std::size_t rows, std::size_t width);
void *c_grow(void *old, std::size_t from, std::size_t to);
void c_sorted(int n);
void set_unnamed(void *(*f)(std::size_t));      // called by the library of unnamed.c
void *call_unnamed(std::size_t n);
}

#endif

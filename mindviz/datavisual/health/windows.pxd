"""C types of `windows.py`."""

import cython

from libc.stdint cimport int64_t


cdef class Window:
    cdef readonly int size, count
    cdef int _next
    cdef double[::1] _ring, _sorted

    @cython.locals(other=Window, at=int)
    cdef Window twin(self)
    cdef void clear(self) noexcept
    @cython.locals(at=int)
    cdef void push(self, double value) noexcept
    @cython.locals(low=int, high=int, middle=int)
    cdef int _rank(self, double value) noexcept
    cdef double at(self, int rank) noexcept
    cdef double oldest(self) noexcept
    @cython.locals(half=int)
    cdef double median(self) noexcept
    @cython.locals(inside=int)
    cdef bint mostly_within(self, double distance, double center) noexcept
    @cython.locals(above=int, below=int, distance=double, up=double, down=double)
    cdef double deviation(self, double center) noexcept


cdef class Tail:
    cdef Window _window
    cdef double _farthest

    @cython.locals(window=Window, low=double, high=double, beyond=double)
    cdef double excess(self, double value) noexcept
    @cython.locals(window=Window, excess=double)
    cdef void push(self, double value) noexcept
    cdef bint includes(self, double value) noexcept


cdef class Level:
    cdef Window _recent, _changes
    cdef double[::1] _before, _times
    cdef int64_t[::1] _steps
    cdef int _next, _lag, _stride
    cdef int64_t _count
    cdef readonly double start, best, now, noise

    @cython.locals(recent=Window)
    cdef bint push(self, int64_t step, double time, double value) noexcept
    @cython.locals(last=int)
    cdef void _measure(self, int size) noexcept
    cdef bint is_known(self) noexcept
    cdef int samples(self) noexcept
    cdef int points(self) noexcept
    cdef int64_t oldest_step(self) noexcept
    cdef double oldest_time(self) noexcept

"""C types of `windows.py`."""

import cython

from libc.stdint cimport int64_t

cdef double _INFINITY, _LEAST_FARTHEST, _FADING, _TAIL_FACTOR


cdef class Window:
    cdef readonly Py_ssize_t size, count
    cdef double _low, _high
    cdef bint _has_range
    cdef Py_ssize_t _next, _ordered, _pending
    cdef double[::1] _ring, _sorted

    @cython.locals(other=Window, at=cython.Py_ssize_t)
    cdef Window twin(self)
    cdef void clear(self) noexcept
    @cython.locals(leaving=double)
    cdef void push(self, double value) noexcept
    cdef double low(self) noexcept
    cdef double high(self) noexcept
    @cython.locals(at=cython.Py_ssize_t)
    cdef double _before(self, Py_ssize_t back) noexcept
    @cython.locals(value=double, back=cython.Py_ssize_t)
    cdef void _find_range(self) noexcept
    @cython.locals(
        pending=cython.Py_ssize_t, back=cython.Py_ssize_t, value=double, to=cython.Py_ssize_t,
        gap=cython.Py_ssize_t, at=cython.Py_ssize_t,
    )
    cdef void _order(self) noexcept
    @cython.locals(
        gap=cython.Py_ssize_t, at=cython.Py_ssize_t, to=cython.Py_ssize_t, value=double
    )
    cdef void _sort(self) noexcept
    @cython.locals(low=cython.Py_ssize_t, high=cython.Py_ssize_t, middle=cython.Py_ssize_t)
    cdef Py_ssize_t _rank(self, double value) noexcept
    cdef double at(self, Py_ssize_t rank) noexcept
    cdef double oldest(self) noexcept
    @cython.locals(half=cython.Py_ssize_t)
    cdef double median(self) noexcept
    @cython.locals(
        above=cython.Py_ssize_t, below=cython.Py_ssize_t, distance=double, up=double, down=double
    )
    cdef double deviation(self, double center) noexcept


cdef class Extremes:
    cdef const double[::1] _values
    cdef Py_ssize_t _size, _low_at, _high_at
    cdef double low, high

    @cython.locals(begin=cython.Py_ssize_t, last=double)
    cdef void advance(self, Py_ssize_t end) noexcept
    @cython.locals(
        low_at=cython.Py_ssize_t, high_at=cython.Py_ssize_t, low=double, high=double,
        at=cython.Py_ssize_t, value=double,
    )
    cdef void _find(self, Py_ssize_t begin, Py_ssize_t end) noexcept


cdef class Tail:
    cdef Window _window
    cdef double _farthest

    @cython.locals(window=Window, low=double, high=double, range_=double, beyond=double)
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

"""C types of `detectors.py`."""

import cython

from libc.stdint cimport int64_t

from mindviz.datavisual.health.windows cimport Window


cdef class Detector:
    cdef readonly list events
    cdef bint _open
    cdef int64_t _step, _end_step, _points
    cdef double _time, _end_time, _size

    @cython.locals(at=cython.Py_ssize_t)
    cpdef feed(self, const int64_t[::1] steps, const double[::1] times, const double[::1] values)
    cdef void push(self, int64_t step, double time, double value) noexcept
    cpdef int64_t waiting_bytes(self)
    cpdef list found(self)
    cdef tuple _event(self)
    cdef void _begin(self, int64_t step, double time, double size) noexcept
    cdef void _extend(self, int64_t step, double time) noexcept
    cdef _close(self)


cdef class Streak(Detector):
    cdef int _what
    cdef double _above, _below
    cdef int64_t _least, _pending, _first_step
    cdef double _first_time

    @cython.locals(hit=bint)
    cdef void push(self, int64_t step, double time, double value) noexcept


cdef class Change(Detector):
    cdef double _factor
    cdef Window _recent, _before, _history
    cdef int64_t[::1] _steps
    cdef double[::1] _times
    cdef int _next

    @cython.locals(recent=Window, history=Window, leaving=double, before=double, after=double)
    cdef void push(self, int64_t step, double time, double value) noexcept


cdef class Throughput(Detector):
    cdef double _factor, _last_time, _usual
    cdef Window _recent, _history
    cdef int64_t[::1] _steps
    cdef double[::1] _times
    cdef int _next
    cdef int64_t _last_step

    @cython.locals(other=Throughput, size=int, at=int)
    cpdef Throughput twin(self)
    @cython.locals(
        passed=double, pace=double, begin_step=int64_t, begin_time=double, recent=Window,
        history=Window, slowness=double, usual=double,
    )
    cdef void push(self, int64_t step, double time, double value) noexcept

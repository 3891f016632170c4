"""C types of `spikes.py`."""

import cython

from libc.stdint cimport int64_t

from mindviz.datavisual.health.detectors cimport Detector
from mindviz.datavisual.health.windows cimport Extremes, Tail, Window

cdef double _JUMP, _LIKE, _JITTER
cdef int64_t _KEPT_JUMPS, _CLOSEST


cdef class Jumps:
    cdef int64_t[::1] _at, _steps, _found
    cdef double[::1] _sizes
    cdef int64_t _count
    cdef readonly int64_t before

    cdef int64_t step(self, int64_t back) noexcept
    @cython.locals(
        last=int64_t, next_size=double, follows=bint, back=int64_t, other=int64_t, ratio=double,
        here=int64_t,
    )
    cdef bint push(self, int64_t at, int64_t step, double size) noexcept
    @cython.locals(
        last=int64_t, middle=int64_t, first=int64_t, tolerance=double, apart=int64_t
    )
    cdef bint _is_schedule(self, int64_t at) noexcept


@cython.locals(range_=double, deviation=double)
cdef double _spread(Window window, double center) noexcept


@cython.locals(beyond=double, beyond_changes=double)
cdef bint _is_near(
    double value, double change, double low, double high, double low_change, double high_change,
    double reach,
) noexcept
@cython.locals(changes=double[::1], levels=Extremes, steps=Extremes, at=cython.Py_ssize_t)
cpdef bint may_spike(const double[::1] values, double z, Py_ssize_t window) except *
cdef int _least(int window) noexcept
cdef double _reach(double z) noexcept


cdef class Spike(Detector):
    cdef double _z, _last, _usual, _deviation, _center, _trend, _scale, _sign, _peak
    cdef double _first_time, _last_time
    cdef int _recovery, _least, _pending, _known_for
    cdef int64_t _first_step, _last_step
    cdef Window _window, _changes
    cdef Tail _tail, _change_tail
    cdef Jumps _jumps
    cdef int64_t _seen
    cdef bint _is_scheduled
    cdef double[::1] _held

    @cython.locals(distance=double, at=int)
    cdef void push(self, int64_t step, double time, double value) noexcept
    cdef _hold(self, int64_t step, double time, double value)
    @cython.locals(changes=Window, change=double, deviation=double, back=int64_t)
    cdef bint _jumps_again(self, int64_t step, double value)
    @cython.locals(at=int64_t)
    cdef _withdraw(self, int64_t step)
    cdef _confirm(self)
    cdef void _accept(self, double value) noexcept
    @cython.locals(
        window=Window, changes=Window, low=double, high=double, center=double, scale=double,
        spread=double, usual=double, floor=double, is_far=bint, change=double, mean=double,
    )
    cdef bint _stands_out(self, double value)

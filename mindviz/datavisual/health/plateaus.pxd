"""C types of `plateaus.py`."""

import cython

from libc.stdint cimport int64_t

from mindviz.datavisual.health.courses cimport Course
from mindviz.datavisual.health.detectors cimport Detector

cdef int _BLOCKS, _WAIT, _LONG_WAIT
cdef double _CURVING, _STEADY, _USUAL, _LASTING, _RESUMED, _STOP


cdef class Plateau(Detector):
    cdef double _share, _z, _sign, _mean, _square, _first_time, _last, _same_time
    cdef int64_t _block, _frozen, _filled, _first_step, _same, _varied, _same_step, _quiet_until
    cdef int64_t _seen
    cdef int _levels
    cdef Course _course
    cdef double[::1] _means, _squares, _block_times, _floors, _sizes, _stop_times
    cdef int64_t[::1] _block_steps, _counts, _waiting, _stops, _stop_steps

    @cython.locals(apart=double)
    cdef void push(self, int64_t step, double time, double value) noexcept
    cdef _freeze(self, int64_t step, double time, double value)
    cdef _grow(self)
    @cython.locals(
        level=int, mean=double, square=double, first_step=int64_t, first_time=double,
        length=int64_t, base=int, at=int, last=int, apart=double,
    )
    cdef _complete(self, int64_t step, double time)
    @cython.locals(
        at=int, mean=double, slope=double, curve=double, middle=double, progress=double,
        left=double, level=double, apart=double, white=double, variance=double, noise=double,
        distance=double, decay=double, span=double, kept=double, expected=double, doubt=double,
    )
    cdef _compare(self, int base, int64_t length)
    @cython.locals(course=Course, is_due=bint, threshold=double)
    cdef _follow(self, int64_t step, double time)
    @cython.locals(level=int)
    cdef _report(self, int64_t step, double time, int64_t length)
    @cython.locals(stalled=int64_t)
    cdef _wait(self, int level, double mean, int64_t length, int64_t step, double time)
    cdef int64_t _blocks_to_wait(self, int base, double progress) noexcept
    @cython.locals(level=int, above=int, begin=int64_t, oldest=int64_t, blocks=double)
    cdef double _usual(self, int base) noexcept
    @cython.locals(level=int, above=int, lag=int, begin=int64_t, at=int, gain=double)
    cdef bint _was_steady(self, int base, double progress) noexcept
    @cython.locals(total=double, trend=double, within=double, at=int)
    cdef double _variance(self, int base, int64_t length, double slope) noexcept

"""C types of `trend_detectors.py`."""

import cython

from libc.stdint cimport int64_t

from mindviz.datavisual.health.detectors cimport Detector
from mindviz.datavisual.health.windows cimport Level, Window

cdef double _SHARED


cdef class Divergence(Detector):
    cdef double _share, _z
    cdef int _least_points
    cdef Level _level

    @cython.locals(level=Level, gain=double, least=double, rise=double)
    cdef void push(self, int64_t step, double time, double value) noexcept


cdef class ValidationGap(Detector):
    cdef double _share, _z, _sign, _training
    cdef int _risen
    cdef double[::1] _at_best
    cdef list _levels, _trainings, _waiting
    cdef object _ahead_steps, _ahead_values
    cdef bint _trained
    cdef int64_t _reached
    cdef Py_ssize_t _used

    cdef void push(self, int64_t step, double time, double value) noexcept
    cpdef push_training(self, steps, values)
    cpdef int64_t waiting_bytes(self)
    cdef _advance(self)
    @cython.locals(
        at=int, level=Level, beside=Window, training=double, noise=double, gain=double, rise=double,
        least=double,
    )
    cdef _evaluate(self, int64_t step, double time, double value)

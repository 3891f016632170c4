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
    cdef list _levels, _trainings
    cdef object _ahead_steps, _ahead_values, _waiting_steps, _waiting_times, _waiting_values
    cdef bint _trained
    cdef int64_t _reached
    cdef Py_ssize_t _used

    cpdef push_training(self, steps, values)
    cpdef int64_t waiting_bytes(self)
    cpdef feed(self, const int64_t[::1] steps, const double[::1] times, const double[::1] values)
    @cython.locals(
        waiting_steps=int64_t[::1], waiting_times=double[::1], waiting_values=double[::1],
        ahead_steps=int64_t[::1], ahead_values=double[::1], done=cython.Py_ssize_t,
        at=cython.Py_ssize_t, step=int64_t, point=double, value=double,
    )
    cdef Py_ssize_t _advance(self) except -1
    cdef _forget(self, Py_ssize_t done)
    @cython.locals(
        at=int, level=Level, beside=Window, training=double, noise=double, gain=double, rise=double,
        least=double,
    )
    cdef _evaluate(self, int64_t step, double time, double value)

"""C types of `courses.py`."""

import cython

from libc.stdint cimport int64_t

cdef Py_ssize_t _MOST, _FIRST, _RECENT, _PARAMETERS
cdef double _CORRELATED, _CLEAR


cdef class Course:
    cdef readonly Py_ssize_t count
    cdef readonly int64_t length, stop_step, stop_points
    cdef readonly double stop_time, missing
    cdef int64_t _filled
    cdef double[::1] _means, _squares, _times
    cdef int64_t[::1] _steps

    cdef void clear(self) noexcept
    @cython.locals(at=cython.Py_ssize_t, apart=double, share=double)
    cdef bint push(
        self, double mean, double square, int64_t points, int64_t step, double time
    ) noexcept
    @cython.locals(length=int64_t, at=cython.Py_ssize_t, apart=double)
    cdef void _pair(self, int64_t points) noexcept
    @cython.locals(
        count=cython.Py_ssize_t, hinges=double[::1], means=double[::1], center=double,
        at=cython.Py_ssize_t, whole=double, best=double, found=cython.Py_ssize_t, smooth=double,
        stop=cython.Py_ssize_t, level=double, slope=double, near=cython.Py_ssize_t,
        progress=double, white=double, after=double, deviations=double, variance=double,
        early=cython.Py_ssize_t, gain=double,
    )
    cdef bint stops(self, double sign, double threshold, double share, int64_t points) except *
    @cython.locals(total=double, at=cython.Py_ssize_t)
    cdef double _level(self, double[::1] means, Py_ssize_t stop) noexcept
    @cython.locals(blocks=cython.Py_ssize_t, total=double, at=cython.Py_ssize_t)
    cdef double _slope(self, double[::1] means, Py_ssize_t stop) noexcept
    @cython.locals(total=double, at=cython.Py_ssize_t)
    cdef double _white(self, Py_ssize_t stop, int64_t length) noexcept
    @cython.locals(
        count=cython.Py_ssize_t, rest=double[::1], at=cython.Py_ssize_t,
        vector=cython.Py_ssize_t, first=cython.Py_ssize_t, part=double, total=double,
    )
    cdef double _deviations(self, double[::1] means, double[::1] hinges, Py_ssize_t begin) except -1
    @cython.locals(
        products=double[::1], at=cython.Py_ssize_t, first=cython.Py_ssize_t, mean=double,
        curve=cython.Py_ssize_t, most=double,
    )
    cdef double _explained(
        self, double[::1] means, double[::1] smooth, Py_ssize_t curves_
    ) except -1

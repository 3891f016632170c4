"""Disk faults: system calls that fail for files below a directory, here or in another process."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SHIM = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

typedef int (*opener)(const char *, int, ...);
typedef int (*opener_at)(int, const char *, int, ...);
typedef ssize_t (*reader)(int, const struct iovec *, int, off_t);

/* What the file named by FAULT_FILE holds: 0 nothing, 1 EIO on reads, 2 ESTALE on open, 3 short
   reads, 4 EMFILE on open, 5 EACCES on listing a directory named private. */
static int fault(void) {
    opener real = (opener)dlsym(RTLD_NEXT, "open");
    char text[8] = {0};
    int file = real(getenv("FAULT_FILE"), O_RDONLY);
    if (file < 0) return 0;
    if (read(file, text, 7) < 0) text[0] = 0;
    close(file);
    return atoi(text);
}
static int is_log(const char *path) { return strstr(path, "tfevents") != NULL; }
DIR *opendir(const char *path) {
    if (strstr(path, "private") != NULL && fault() == 5) { errno = EACCES; return NULL; }
    return ((DIR *(*)(const char *))dlsym(RTLD_NEXT, "opendir"))(path);
}
static int is_open_log(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size <= 0) return 0;
    path[size] = 0;
    return is_log(path);
}
static ssize_t faulty(int file, const struct iovec *parts, int count, off_t offset) {
    reader real = (reader)dlsym(RTLD_NEXT, "preadv");
    if (is_open_log(file)) {
        int mode = fault();
        if (mode == 1) { errno = EIO; return -1; }
        if (mode == 3 && count == 1 && parts[0].iov_len > 1) {
            struct iovec part = parts[0];
            part.iov_len = part.iov_len / 2;
            return real(file, &part, 1, offset);
        }
    }
    return real(file, parts, count, offset);
}
ssize_t preadv(int f, const struct iovec *p, int n, off_t o) { return faulty(f, p, n, o); }
ssize_t preadv64(int f, const struct iovec *p, int n, off64_t o) { return faulty(f, p, n, o); }
ssize_t preadv2(int f, const struct iovec *p, int n, off_t o, int g) { return faulty(f, p, n, o); }
ssize_t preadv64v2(int f, const struct iovec *p, int n, off64_t o, int g) {
    return faulty(f, p, n, o);
}
static int refused(const char *path) {
    int mode = is_log(path) ? fault() : 0;
    if (mode == 2) errno = ESTALE;
    if (mode == 4) errno = EMFILE;
    return mode == 2 || mode == 4;
}
static int opened(const char *name, const char *path, int flags, va_list rest) {
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    return refused(path) ? -1 : ((opener)dlsym(RTLD_NEXT, name))(path, flags, mode);
}
int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int file = opened("open", path, flags, rest);
    va_end(rest);
    return file;
}
int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int file = opened("open64", path, flags, rest);
    va_end(rest);
    return file;
}
int openat(int folder, const char *path, int flags, ...) {
    return refused(path) ? -1 : ((opener_at)dlsym(RTLD_NEXT, "openat"))(folder, path, flags, 0);
}
int openat64(int folder, const char *path, int flags, ...) {
    return refused(path) ? -1 : ((opener_at)dlsym(RTLD_NEXT, "openat64"))(folder, path, flags, 0);
}
"""

EIO_ON_READ, ESTALE_ON_OPEN, SHORT_READS, EMFILE_ON_OPEN, EACCES_ON_LISTING = range(1, 6)


class FaultySystem:
    """Faults of log files in a process started with `env`; requires Linux and a C compiler."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None or not Path("/proc/self/fd").exists():
            pytest.skip("needs a C compiler and /proc")
        source, library = folder / "shim.c", folder / "shim.so"
        source.write_text(SHIM)
        made = subprocess.run(
            [compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        self._mode = folder / "fault"
        self.env = {"LD_PRELOAD": str(library), "FAULT_FILE": str(self._mode)}

    def begin(self, mode: int) -> None:
        """Start failing calls."""
        partial = self._mode.with_suffix(".new")
        partial.write_text(str(mode))
        partial.rename(self._mode)

    def end(self) -> None:
        """Stop failing calls."""
        self._mode.unlink()


class Faults:
    """System calls of this process that fail for paths containing a text."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.raised = 0

    @contextmanager
    def on(self, call: str, where: str, code: int = errno.EIO) -> Iterator[None]:
        """Make `os.<call>` fail within the block: open, preadv, scandir, stat."""
        real: Callable[..., Any] = getattr(os, call)
        readlink = os.readlink

        def failing(path: Any = ".", *arguments: Any, **options: Any) -> Any:
            name = readlink(f"/proc/self/fd/{path}") if isinstance(path, int) else os.fspath(path)
            if where in str(name):
                self.raised += 1
                raise OSError(code, os.strerror(code), name)
            return real(path, *arguments, **options)

        with self._patch.context() as patch:
            patch.setattr(os, call, failing)
            yield

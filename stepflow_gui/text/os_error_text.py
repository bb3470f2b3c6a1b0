"""The system's words for what keeps a file from being read or written, in the language in use."""

import errno

from stepflow_gui.messages import _


def system_words(error: OSError) -> str:
    """Why an operation failed; a rare reason in the system's words."""
    words = {
        errno.EACCES: _("Permission denied"),
        errno.EBUSY: _("Device or resource busy"),
        errno.EEXIST: _("File exists"),
        errno.EIO: _("Input/output error"),
        errno.EISDIR: _("Is a directory"),
        errno.ELOOP: _("Too many levels of symbolic links"),
        errno.EMFILE: _("Too many open files"),
        errno.ENAMETOOLONG: _("File name too long"),
        errno.ENOENT: _("No such file or directory"),
        errno.ENOEXEC: _("Exec format error"),
        errno.ENOSPC: _("No space left on device"),
        errno.ENOTDIR: _("Not a directory"),
        errno.ENOTEMPTY: _("Directory not empty"),
        errno.EPERM: _("Operation not permitted"),
        errno.EROFS: _("Read-only file system"),
    }
    return words.get(error.errno or 0) or error.strerror or str(error)

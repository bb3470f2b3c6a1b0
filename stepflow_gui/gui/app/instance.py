"""One program a person and display: who starts it again hands the paths over to the one that runs."""

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from stepflow_gui.gui.app.instance_address import address, is_private, make_private

_PATIENCE = 2000  # milliseconds; a program that answers no sooner is left alone
_LONGEST = 1_000_000  # bytes of a request
_MOST_PATHS = 10_000
_DONE = b"ok\n"


class Instance(QObject):
    """`asked(paths)`: another start of the program wants these opened here; none: only to the front."""

    asked = Signal(list)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._name = address(folder)
        self._server: QLocalServer | None = None
        self._requests: dict[QLocalSocket, bytes] = {}

    def hand_over(self, paths: Sequence[Path]) -> bool:
        """Have a running program open these. False where none runs, or it doesn't answer."""
        if not is_private(self._folder):
            return False
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_PATIENCE):
            return False
        request = json.dumps([str(path.absolute()) for path in paths]).encode("ascii") + b"\n"
        socket.write(request)
        answered = socket.waitForBytesWritten(_PATIENCE) and socket.waitForReadyRead(_PATIENCE)
        done = answered and bytes(socket.readAll().data()) == _DONE
        socket.disconnectFromServer()
        return done

    def listen(self) -> bool:
        """Be the one that others hand paths over to. Only programs of the same user get through."""
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._connected)
        if not make_private(self._folder):
            return False
        if self._answers():  # two that start at once: the later one stays alone
            return False
        QLocalServer.removeServer(self._name)  # left by a program that died
        if not server.listen(self._name):
            return False
        self._server = server
        return True

    def close(self) -> None:
        """Be asked nothing any more."""
        waiting, self._requests = self._requests, {}
        for socket in waiting:
            socket.blockSignals(True)  # it goes with the server, when nobody is left to hear of it
            socket.abort()
        if self._server is not None:
            self._server.close()
            self._server = None

    def _answers(self) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        return socket.waitForConnected(_PATIENCE)

    def _connected(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            self._requests[socket] = b""
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(lambda socket=socket: self._gone(socket))
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if socket not in self._requests:
            return
        self._requests[socket] += bytes(socket.readAll().data())
        request = self._requests[socket]
        if len(request) > _LONGEST:
            socket.abort()
            return
        if not request.endswith(b"\n"):
            return
        paths = _paths(request)
        if paths is None:
            socket.abort()
            return
        socket.write(_DONE)
        socket.flush()
        self.asked.emit(paths)

    def _gone(self, socket: QLocalSocket) -> None:
        self._requests.pop(socket, None)
        socket.deleteLater()


def _paths(request: bytes) -> list[Path] | None:
    try:
        listed = json.loads(request)
    except (ValueError, RecursionError):
        return None
    if not isinstance(listed, list) or len(listed) > _MOST_PATHS:
        return None
    if not all(isinstance(each, str) and "\0" not in each for each in listed):
        return None
    return [Path(each) for each in listed]

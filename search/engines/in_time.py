"""HTTP for Qdrant's client whose time limit holds for a whole answer, however slowly its bytes trickle."""

import threading

import httpx


class InTime(httpx.BaseTransport):
    """Sends requests as httpx does, and gives up on an answer that isn't whole after ``seconds``.

    httpx's own limits begin anew with every byte.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._inner = seconds, httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and give the whole answer.

        Raises:
            httpx.TransportError: there is none, or not in time.
        """
        done: list[httpx.Response | Exception] = []

        def send() -> None:
            try:
                response = self._inner.handle_request(request)
                try:
                    body = b"".join(response.iter_raw())
                finally:
                    response.close()
                stream = httpx.ByteStream(body)
                done.append(httpx.Response(response.status_code, headers=response.headers, stream=stream))
            except Exception as error:  # noqa: BLE001 - raised below, where it is waited for
                done.append(error)

        # a daemon, so that the program's end doesn't wait for a server that never ends its answer
        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        thread.join(self._seconds)
        if not done:
            raise httpx.ReadTimeout(f"no whole answer within {self._seconds:.0f} s", request=request)
        if isinstance(done[0], Exception):
            raise done[0]
        return done[0]

    def close(self) -> None:
        """Close the connections kept."""
        self._inner.close()

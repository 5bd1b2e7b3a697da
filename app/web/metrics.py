"""What happens at the server, in numbers for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/)."""

import time
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulings.app.web.serving import Serving

_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"})


class Metrics:
    """Counts and times of requests by address, and the state of what is served."""

    def __init__(self, served: Serving) -> None:
        self.registry = CollectorRegistry()
        labels = ("path", "method", "status")
        self.requests = Counter("rulings_requests", "Requests answered", labels, registry=self.registry)
        self.seconds = Histogram(
            "rulings_request_seconds", "Time to the end of an answer", ("path",), registry=self.registry
        )
        self.registry.register(_State(served))


class Measured:
    """Middleware that counts and times requests; unknown addresses are counted as one."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: frozenset[str]) -> None:
        self.app, self.metrics, self.paths = app, metrics, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and take note of its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, start = 500, time.perf_counter()

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            path = scope["path"] if scope["path"] in self.paths else "other"
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self.metrics.requests.labels(path, method, str(status)).inc()
            self.metrics.seconds.labels(path).observe(time.perf_counter() - start)


class _State(Collector):
    """The generation, the processes for queries, and why queries were ended."""

    def __init__(self, served: Serving) -> None:
        self._served = served

    def describe(self) -> list[Metric]:
        """Nothing ahead: there is nothing to tell before the generation is opened."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The numbers of now."""
        now = self._served.now
        generation = InfoMetricFamily("rulings_generation", "The generation that is served")
        generation.add_metric([], {"name": now.generation.manifest.name})
        yield generation
        yield GaugeMetricFamily("rulings_query_processes", "Processes for SPARQL queries", value=now.queries.size)
        yield GaugeMetricFamily("rulings_queries_long", "Queries that run for long", value=now.queries.long)
        yield GaugeMetricFamily("rulings_queries_waiting", "Queries that wait", value=now.queries.waiting)
        ended = CounterMetricFamily(
            "rulings_queries_ended", "Queries without a whole answer, by reason", labels=["reason"]
        )
        for reason, count in sorted(self._served.ended().items()):
            ended.add_metric([reason], count)
        yield ended


async def metrics(request: Request) -> Response:
    """The numbers as text."""
    held: Metrics = request.app.state.metrics
    return Response(generate_latest(held.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

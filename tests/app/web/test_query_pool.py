"""Queries at their limits: ended, told, and no harm to others."""

import asyncio
import re
import socket
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest

from rulings.app.errors import HttpError
from rulings.app.web.query_frames import Task
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.query_pool import QueryPool
from rulings.app.web.query_run import CutError
from rulings.search.generation import current

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
SHORT = "SELECT ?name { ?c a rul:Card ; rul:name ?name } LIMIT 1"
EVERYTHING = "SELECT * { ?a ?b ?c }"


def task(query, **changes):
    given = {"default": (), "named": (), "rows": "csv", "graph": "nt", "seconds": 20.0, "size": 1 << 30}
    return Task(query=query, **{**given, "service": False, "head_only": False, **changes})


@pytest.fixture
def with_pool(sample_home):
    """Run a coroutine function on a started pool with some limits, then check that nothing is left."""

    def run(work, **limits):
        async def all_of_it():
            pool = QueryPool(
                current(sample_home).graph.folder, QueryLimits(**{"workers": 1, "seconds": 20.0, **limits})
            )
            await pool.start()
            try:
                return await work(pool)
            finally:
                await pool.close()
                assert pool.size == 0

        return asyncio.run(all_of_it())

    return run


async def body(running, pause=0.0):
    parts = []
    async for chunk in running.chunks():
        parts.append(chunk)
        await asyncio.sleep(pause)
    return b"".join(parts)


def test_a_process_answers_one_query_after_the_other(with_pool):
    async def work(pool):
        for _ in range(3):
            assert (await pool.begin(task(SHORT))).whole.startswith(b"name\r\n")
        with pytest.raises(HttpError) as told:
            await pool.begin(task("SELECT"))
        assert told.value.status == 400
        assert (await pool.begin(task("ASK {}", rows="json"))).whole == b'{"head":{},"boolean":true}'
        assert pool.size == 1
        assert pool.ended == {"query": 1}

    with_pool(work)


def test_a_query_is_ended_at_its_time_limit(with_pool):
    async def work(pool):
        start = time.monotonic()
        with pytest.raises(HttpError, match=r"ran for 1.5 s, its limit") as told:
            await pool.begin(task(ENDLESS))
        assert 1.5 <= time.monotonic() - start < 2.5
        assert told.value.status == 503
        assert (await pool.begin(task(SHORT))).whole
        assert pool.ended == {"time": 1}
        assert pool.long == 0

    with_pool(work, seconds=1.5)


def test_an_answer_that_was_begun_is_cut_off_at_the_time_limit(with_pool):
    async def work(pool):
        running = await pool.begin(task("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"))
        assert running.whole is None
        with pytest.raises(CutError, match="its limit"):
            await body(running, pause=0.05)
        assert pool.ended == {"time": 1}

    with_pool(work, seconds=5.0)


def test_a_client_that_takes_nothing_holds_no_process_for_long(with_pool):
    async def work(pool):
        await pool.begin(task("SELECT * { ?a ?b ?c . ?d ?e ?f }"))
        assert (await pool.begin(task(SHORT))).whole
        await asyncio.sleep(1.6)
        assert pool.ended == {"time": 1}

    with_pool(work, seconds=1.5, quick=0.2)


def test_an_answer_that_grows_too_long_is_cut_off(with_pool):
    async def work(pool):
        with pytest.raises(CutError, match="longer than"):
            await body(await pool.begin(task(EVERYTHING, size=1 << 18)))
        with pytest.raises(HttpError, match="longer than"):
            await pool.begin(task(EVERYTHING, size=1000))
        assert pool.ended == {"size": 2}
        assert len((await pool.begin(task(SHORT))).whole) < 1000

    with_pool(work)


def test_a_query_that_takes_too_much_memory_ends_itself(with_pool):
    async def work(pool):
        with pytest.raises(HttpError, match="perhaps over 64 MiB of memory"):
            await pool.begin(task("SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY ?f ?a"))
        assert (await pool.begin(task(SHORT))).whole
        assert pool.ended == {"crash": 1}

    with_pool(work, memory=64 << 20)


def test_deep_nesting_harms_no_one(with_pool):
    async def work(pool):
        for nested in ("{" * 20_000 + "}" * 20_000, f"{{ FILTER({'(' * 20_000}1{')' * 20_000}) }}"):
            with pytest.raises(HttpError):
                await pool.begin(task(f"ASK {nested}"))
        assert (await pool.begin(task(SHORT))).whole

    with_pool(work)


def test_a_long_query_makes_room_and_only_some_may_run(with_pool):
    async def work(pool):
        first = asyncio.ensure_future(pool.begin(task(ENDLESS)))
        while not pool.long:
            await asyncio.sleep(0.05)
        assert (await pool.begin(task(SHORT))).whole
        with pytest.raises(HttpError, match="1 long queries run already") as told:
            await pool.begin(task(ENDLESS))
        assert told.value.headers["Retry-After"] == "10"
        assert not first.done()
        first.cancel()
        await asyncio.wait({first})
        assert pool.ended == {"crowded": 1, "left": 1}

    with_pool(work, long=1, quick=0.3)


def test_too_many_that_wait_are_turned_away(with_pool):
    async def work(pool):
        held = await pool.begin(task(EVERYTHING))
        waiting = asyncio.ensure_future(pool.begin(task(SHORT)))
        await asyncio.sleep(0.05)
        with pytest.raises(HttpError, match="1 queries wait already") as told:
            await pool.begin(task(SHORT))
        assert (told.value.status, told.value.headers["Retry-After"]) == (503, "5")
        with pytest.raises(HttpError, match="all processes for queries are busy"):
            await waiting
        held.close()

    with_pool(work, queue=1, wait=0.3, quick=10.0)


def test_whoever_waits_comes_next(with_pool):
    async def work(pool):
        held = await pool.begin(task(EVERYTHING))
        waiting = [asyncio.ensure_future(pool.begin(task(SHORT))) for _ in range(3)]
        waiting[1].cancel()
        await body(held)
        assert (await waiting[0]).whole
        assert (await waiting[2]).whole

    with_pool(work, quick=10.0)


def test_a_retired_pool_finishes_what_it_began(with_pool):
    async def work(pool):
        running = await pool.begin(task(EVERYTHING))
        waiting = asyncio.ensure_future(pool.begin(task(SHORT)))
        await asyncio.sleep(0)
        pool.retire()
        assert len(await body(running)) > 1 << 20
        assert (await waiting).whole
        assert (await pool.begin(task(SHORT))).whole
        await asyncio.sleep(0.1)
        assert pool.size == 0

    with_pool(work)


def test_over_http_the_limits_are_told(server):
    start = time.monotonic()
    ended = server.ask(ENDLESS)
    assert 3 <= time.monotonic() - start < 4
    assert ended.status == 503
    assert "ran for 3 s, its limit" in ended.text
    cut = server.ask(EVERYTHING)
    assert cut.status == 200
    assert not cut.whole


def test_the_query_of_a_client_that_leaves_early_is_ended(server):
    def left():
        found = re.search(r'rulings_queries_ended_total\{reason="left"\} (\d+)', server.get("/metrics").text)
        return int(found[1]) if found else 0

    before = left()
    for query in (ENDLESS, EVERYTHING):
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(f"GET /sparql?{urlencode({'query': query})} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            time.sleep(0.1 if query is ENDLESS else 0.0)
    end = time.monotonic() + 2.5
    while left() < before + 2:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_endless_queries_leave_others_unharmed(server):
    def asked():
        start = time.monotonic()
        assert server.ask(SHORT).status == 200
        return time.monotonic() - start

    alone = statistics.quantiles([asked() for _ in range(20)], n=20)[-1]
    with ThreadPoolExecutor(8) as threads:
        ended = [threads.submit(server.ask, ENDLESS) for _ in range(4)]
        time.sleep(0.8)
        took, end = [], time.monotonic() + 1.2
        while time.monotonic() < end or len(took) < 2:
            took.append(asked())
        assert not any(each.done() for each in ended)
        assert all(each.result().status == 503 for each in ended)
    assert statistics.quantiles(took, n=20)[-1] < max(0.5, 5 * alone)

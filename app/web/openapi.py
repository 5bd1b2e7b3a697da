"""The description of the HTTP API (https://spec.openapis.org/oas/v3.1.0), served at /api/openapi.json."""

from typing import Any

_Json = dict[str, Any]
_TEXT: _Json = {"type": "string"}
_TEXTS: _Json = {"type": "array", "items": _TEXT}


def document(version: str) -> _Json:
    """The document for a version of the program."""
    k = {"type": "integer", "minimum": 1, "maximum": 100}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rulings",
            "version": version,
            "summary": "Answers questions about Magic: The Gathering with the rulings that settle them.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {
            "/api/ask": _get(
                "ask",
                "Answer a question with the rulings that settle it, best first",
                "Answer",
                [_parameter("q", {"type": "string", "minLength": 1, "maxLength": 10_000}, "in plain words")],
                [_parameter("k", {**k, "default": 5}, "how many rulings")],
            ),
            "/api/show": _get(
                "show",
                "Show a card, concept, rule, ruling or edition with its neighbours",
                "Node",
                [_parameter("name", {"type": "string", "minLength": 1, "maxLength": 1000}, "name, number, key or IRI")],
                [_parameter("k", {**k, "default": 10}, "how many neighbours of a kind")],
                unknown=True,
            ),
            "/api/complete": _get(
                "complete",
                "Complete what is typed to names of cards in any loaded language, concepts and rules",
                "Completions",
                [_parameter("q", {"type": "string", "minLength": 1, "maxLength": 1000}, "what is typed")],
                [_parameter("k", {**k, "default": 10}, "how many names")],
            ),
            "/api/random": _get("random", "Show a ruling that chance picks", "Node", [], [], cached=False),
        },
        "components": {"schemas": _schemas(), "responses": _problems()},
    }


def _parameter(name: str, schema: _Json, words: str) -> _Json:
    return {"name": name, "in": "query", "description": words, "schema": schema}


def _get(
    name: str,
    summary: str,
    schema: str,
    needed: list[_Json],
    optional: list[_Json],
    *,
    unknown: bool = False,
    cached: bool = True,
) -> _Json:
    headers = {"ETag": {"description": "Changes with the generation that is served.", "schema": _TEXT}}
    found = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    names = {"400": "Malformed", "404": "Unknown", "429": "TooOften", "503": "Busy"}
    kept = {status: each for status, each in names.items() if status != "404" or unknown or not needed}
    responses: _Json = {"200": {"description": "Found", "content": found, **({"headers": headers} if cached else {})}}
    if cached:
        responses["304"] = {"description": "The client has this answer already"}
    responses |= {status: {"$ref": f"#/components/responses/{each}"} for status, each in kept.items()}
    parameters = [{**each, "required": True} for each in needed] + optional
    return {"get": {"operationId": name, "summary": summary, "parameters": parameters, "responses": responses}}


def _problems() -> _Json:
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    later = {"headers": {"Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer"}}}}
    return {
        "Malformed": {"description": "A parameter is missing or off", "content": content},
        "Unknown": {"description": "Nothing is called so; the nearest names are told", "content": content},
        "TooOften": {"description": "Too many requests from this address", "content": content, **later},
        "Busy": {"description": "Too many requests at once", "content": content, **later},
    }


def _record(properties: _Json, *, more: bool = False) -> _Json:
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        **({} if more else {"additionalProperties": False}),
    }


def _list(properties: _Json) -> _Json:
    return {"type": "array", "items": _record(properties)}


def _schemas() -> _Json:
    day: _Json = {"type": "string", "format": "date"}
    share: _Json = {"type": "number", "minimum": 0, "maximum": 1}
    result = {
        "rank": {"type": "integer", "minimum": 1},
        "score": share,
        "id": {"type": "string", "format": "iri", "description": "of the wording in the graph"},
        "key": {"type": "string", "pattern": "^[0-9a-f]{12}$"},
        "text": {**_TEXT, "description": "the ruling as published"},
        "same_as": {**_TEXTS, "description": "other wordings of the same ruling"},
        "cards": _list({"name": _TEXT, "oracle_id": _TEXT, "published": day}),
        "concepts": _TEXTS,
        "rules": _list({"number": _TEXT, "edition": day}),
        "outdated": {"type": ["string", "null"], "description": "why it is no longer in force"},
        "why": {
            **_list({"from": _TEXT, "relation": _TEXT, "to": _TEXT}),
            "description": "the path from the question to it",
        },
    }
    answer = {
        "id": {"type": ["string", "null"]},
        "question": _TEXT,
        "language": _TEXT,
        "answered": {"type": "boolean", "description": "false: the results are only the nearest rulings"},
        "confidence": share,
        "reading": _record({"cards": _TEXTS, "concepts": _TEXTS, "rules": _TEXTS}, more=True),
        "results": {"type": "array", "items": _record(result, more=True)},
        "rules": _list({"number": _TEXT, "text": _TEXT, "edition": day}),
        "took_ms": {"type": "number"},
    }
    kinds = ["card", "concept", "rule", "statement", "edition"]
    completion = {
        "name": _TEXT,
        "kind": {"enum": ["card", "concept", "rule"]},
        "id": {"type": "string", "format": "iri"},
        "language": _TEXT,
        "label": {**_TEXT, "description": "the English name; of a rule the start of its text"},
    }
    return {
        "Answer": _record(answer, more=True),
        "Node": _record(
            {"kind": {"enum": kinds}, "id": {"type": "string", "format": "iri"}, "also": _TEXTS}, more=True
        ),
        "Completions": _record({"query": _TEXT, "completions": {"type": "array", "items": _record(completion)}}),
        "Problem": _record({"type": _TEXT, "title": _TEXT, "status": {"type": "integer"}, "detail": _TEXT}, more=True),
    }

"""Reading of SHACL core shapes: each property shape as a path and the constraints on it, ready for SPARQL."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pyoxigraph as ox

from rulings.graph.errors import ShapeError
from rulings.graph.sparql import short_iri
from rulings.graph.vocabulary import PREFIXES

_Term: TypeAlias = Any
"""A term of pyoxigraph; which kind SHACL leaves open at each place."""
SH = "http://www.w3.org/ns/shacl#"
_RDF, _XSD = PREFIXES["rdf"], PREFIXES["xsd"]
_NODE_KINDS = {
    "IRI": "ISIRI(?v)",
    "Literal": "ISLITERAL(?v)",
    "BlankNode": "ISBLANK(?v)",
    "BlankNodeOrIRI": "(ISBLANK(?v) || ISIRI(?v))",
    "BlankNodeOrLiteral": "(ISBLANK(?v) || ISLITERAL(?v))",
    "IRIOrLiteral": "(ISIRI(?v) || ISLITERAL(?v))",
}
_BOUNDS = {"minInclusive": ">=", "minExclusive": ">", "maxInclusive": "<=", "maxExclusive": "<"}
_PATHS = {"inversePath": "^{}", "zeroOrMorePath": "{}*", "oneOrMorePath": "{}+", "zeroOrOnePath": "{}?"}
_OF_PROPERTY = {"path", "name", "description", "message", "severity", "order", "flags"}
_OF_NODE = {"targetClass", "property"}
_IRI = re.compile("<([^>]*)>")


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint: ``name`` as in SHACL without its prefix, ``said`` with its value as a person reads it.

    ``ok`` is the SPARQL expression that a good value ``?v`` makes true; "" for those on all values of a node together,
    whose ``term`` is then the value in SPARQL.
    """

    name: str
    said: str
    term: str
    ok: str = ""


@dataclass(frozen=True, slots=True)
class PropertyShape:
    """The constraints on what a path leads to from each node of a class; ``path`` and ``target`` are SPARQL."""

    shape: str
    target: str
    path: str
    constraints: tuple[Constraint, ...]

    @property
    def label(self) -> str:
        """The path as a person reads it."""
        return _IRI.sub(lambda found: short_iri(found[1]), self.path)


def read_shapes(path: Path) -> tuple[PropertyShape, ...]:
    """Read the shapes of a Turtle file.

    Raises:
        ShapeError: the file can't be read, or holds a construct that isn't known here.
    """
    try:
        triples = list(ox.parse(path=str(path), format=ox.RdfFormat.TURTLE))
    except (OSError, SyntaxError) as error:
        raise ShapeError(f"{path}: can't be read ({error}); give a Turtle file of SHACL shapes") from error
    return tuple(_Reader(triples, path).shapes())


class _Reader:
    def __init__(self, triples: list[ox.Quad], path: Path) -> None:
        self.path = path
        self.about: dict[_Term, dict[str, list[_Term]]] = defaultdict(lambda: defaultdict(list))
        for triple in triples:
            self.about[triple.subject][triple.predicate.value].append(triple.object)

    def shapes(self) -> Iterator[PropertyShape]:
        for node, facts in list(self.about.items()):
            if not facts[SH + "targetClass"]:
                continue
            name = short_iri(node.value)
            for told in facts:
                if told.startswith(SH) and told[len(SH) :] not in _OF_NODE:
                    raise self._unknown(told, name)
            for target in facts[SH + "targetClass"]:
                for prop in facts[SH + "property"]:
                    yield self._property(name, str(target), self.about[prop])

    def _property(self, shape: str, target: str, facts: dict[str, list[_Term]]) -> PropertyShape:
        path = self._path(facts[SH + "path"][0], shape)
        told = [(key[len(SH) :], value) for key, values in facts.items() if key.startswith(SH) for value in values]
        found = tuple(self._constraint(n, v, facts, shape) for n, v in told if n not in _OF_PROPERTY)
        return PropertyShape(shape, target, path, tuple(c for c in found if c.term != "false"))

    def _path(self, node: _Term, shape: str) -> str:
        if isinstance(node, ox.NamedNode):
            return str(node)
        facts = self.about[node]
        if facts[_RDF + "first"]:
            return "/".join(self._path(step, shape) for step in self._list(node))
        if facts[SH + "alternativePath"]:
            return f"({'|'.join(self._path(p, shape) for p in self._list(facts[SH + 'alternativePath'][0]))})"
        for name, form in _PATHS.items():
            if facts[SH + name]:
                inner = self._path(facts[SH + name][0], shape)
                return form.format(f"({inner})" if "/" in inner.partition(">")[2] else inner)
        raise ShapeError(f"{self.path}, {shape}: a path that can't be read; use IRIs, lists and SHACL's path words")

    def _constraint(self, name: str, value: _Term, facts: dict[str, list[_Term]], shape: str) -> Constraint:
        said = f"sh:{name} {_said(value)}"
        if name == "or":
            parts = [self.about[node] for node in self._list(value)]
            told = [[(k[len(SH) :], v) for k, vs in part.items() for v in vs] for part in parts]
            each = [[self._ok(n, v, part, shape) for n, v in one] for one, part in zip(told, parts, strict=True)]
            words = " or ".join(" and ".join(f"{n} {_said(v)}" for n, v in one) for one in told)
            ok = " || ".join(f"({' && '.join(one)})" for one in each)
            return Constraint(name, f"sh:or {words}", "", f"({ok})")
        if name == "in":
            said = "sh:in " + ", ".join(_said(one) for one in self._list(value))
        if name in {"minCount", "maxCount"}:
            return Constraint(name, said, value.value)
        if name in {"uniqueLang", "disjoint", "hasValue"}:
            return Constraint(name, said, value.value if name == "uniqueLang" else str(value))
        return Constraint(name, said, str(value), self._ok(name, value, facts, shape))

    def _ok(self, name: str, value: _Term, facts: dict[str, list[_Term]], shape: str) -> str:  # noqa: PLR0911
        """The expression that a good value makes true; an error in it counts as false."""
        match name:
            case "class":
                return f"EXISTS {{ ?v a {value} }}"
            case "datatype":
                # A cast fails on a literal whose text is no value of its datatype, which is a violation too.
                cast = value.value.startswith(_XSD) and value.value != _XSD + "string"
                same = f"DATATYPE(?v) = {value}"
                return _sure(f"{same} && DATATYPE({value}(STR(?v))) = {value}" if cast else same)
            case "nodeKind":
                return _NODE_KINDS[value.value[len(SH) :]]
            case "pattern":
                flags = "".join(f", {flag}" for flag in facts[SH + "flags"])
                return _sure(f"!ISBLANK(?v) && REGEX(STR(?v), {value}{flags})")
            case "minLength" | "maxLength":
                sign = ">=" if name == "minLength" else "<="
                return _sure(f"!ISBLANK(?v) && STRLEN(STR(?v)) {sign} {value}")
            case "minInclusive" | "minExclusive" | "maxInclusive" | "maxExclusive":
                return _sure(f"?v {_BOUNDS[name]} {value}")
            case "in":
                return "(" + " || ".join(f"SAMETERM(?v, {one})" for one in self._list(value)) + ")"
            case "languageIn":
                return _sure(" || ".join(f"LANGMATCHES(LANG(?v), {one})" for one in self._list(value)))
        raise self._unknown(SH + name, shape)

    def _list(self, node: _Term) -> list[_Term]:
        found = []
        while node != ox.NamedNode(_RDF + "nil"):
            found.append(self.about[node][_RDF + "first"][0])
            node = self.about[node][_RDF + "rest"][0]
        return found

    def _unknown(self, told: str, shape: str) -> ShapeError:
        return ShapeError(
            f"{self.path}, {shape}: sh:{told[len(SH) :]} isn't known here; say it with another constraint"
        )


def _sure(expression: str) -> str:
    return f"COALESCE({expression}, false)"


def _said(value: _Term) -> str:
    return short_iri(value.value) if isinstance(value, ox.NamedNode) else str(getattr(value, "value", value))

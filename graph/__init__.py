"""The knowledge graph: vocabulary, links, relations, the RDF store and its views."""

"""The web page: asking, a page a node, its surroundings as a picture, and queries; all of it works without scripts."""

"""The web server: the SPARQL endpoint, the HTTP API and what holds them up."""

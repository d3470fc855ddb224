"""The types of requests and responses: the public format of the server."""

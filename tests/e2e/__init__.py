"""Tests of the client in a browser; as a package, so that they can share one."""

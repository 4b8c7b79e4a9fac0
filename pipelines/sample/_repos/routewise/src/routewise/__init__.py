"""Requests to functions, by method and path."""

from .app import App
from .errors import BuildError, HTTPError, PatternError
from .messages import Headers, Request, Response, json, redirect, text

__all__ = ["App", "BuildError", "HTTPError", "Headers", "PatternError", "Request", "Response", "json", "redirect", "text"]

"""Middleware that comes with the package."""

from .limits import body_limit, rate_limit
from .tags import entity_tags, request_id

__all__ = ["body_limit", "entity_tags", "rate_limit", "request_id"]

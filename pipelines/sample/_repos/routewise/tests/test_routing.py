import pytest

from routewise import App, BuildError, HTTPError, PatternError, Request, text
from routewise.middleware import entity_tags, rate_limit


def app():
    app = App()

    @app.get("/orders/{number:int}", name="order")
    def order(request, number):
        return text(f"order {number}")

    @app.get("/orders/new")
    def new(request):
        return "a new order"

    @app.get("/files/{rest:path}", name="file")
    def file(request, rest):
        return rest

    return app


def ask(app, target, method="GET", **headers):
    from routewise import Headers

    return app(Request(method, target, Headers(headers.items())))


def test_weights():
    assert ask(app(), "/orders/new").body == b"a new order"
    assert ask(app(), "/orders/7").body == b"order 7"
    assert ask(app(), "/orders/07").status == 404
    assert ask(app(), "/orders/7/").body == b"order 7"


def test_methods():
    refused = ask(app(), "/orders/7", "POST")
    assert refused.status == 405 and refused.headers.get("Allow") == "GET, HEAD"
    head = ask(app(), "/orders/7", "HEAD")
    assert head.body == b"" and head.headers.get("Content-Length") == "7"


def test_encoded_slash():
    assert ask(app(), "/files/a%2Fb").body == b"a/b"
    assert ask(app(), "/orders%2F7").status == 404


def test_url():
    assert app().url("order", number=7, page=[1, 2]) == "/orders/7?page=1&page=2"
    with pytest.raises(BuildError):
        app().url("order", number=-1)


def test_patterns():
    with pytest.raises(PatternError):
        App().get("/x{a}")(None)
    with pytest.raises(PatternError):
        App().get("/{rest:path}/x")(None)


def test_errors():
    a = app()

    @a.get("/boom")
    def boom(request):
        raise HTTPError(418, "teapot", {"X-Pot": "tea"})

    response = ask(a, "/boom")
    assert response.status == 418 and response.headers.get("x-pot") == "tea"


def test_tags():
    a = app()
    a.use(entity_tags)
    tag = ask(a, "/orders/7").headers.get("ETag")
    assert ask(a, "/orders/7", **{"If-None-Match": tag}).status == 304


def test_rate():
    now = [0.0]
    a = app()
    a.use(rate_limit(60, lambda: now[0], burst=1))
    assert ask(a, "/orders/7").ok
    assert ask(a, "/orders/7").headers.get("Retry-After") == "1"
    now[0] = 1
    assert ask(a, "/orders/7").ok

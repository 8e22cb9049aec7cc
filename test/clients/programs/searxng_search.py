"""The client `searxng_search` of PyPI, in the ways that its users use it."""

import os

from searxng_search import SearXNGSearch
from searxng_search.exceptions import SearXNGSearchException

search = SearXNGSearch(os.environ["SEARXNG_URL"], retries=0)
first = search.text("coffee grinder")
second = search.text("coffee grinder", pageno=2, safesearch=1)
assert len(first) >= 10 and all(each["title"] and each["href"].startswith("http") for each in first), first
assert len({each["href"] for each in [*first, *second]}) == len(first) + len(second)
assert search.text("coffee grinder", language="de-DE", max_results=3)

wrong = SearXNGSearch(os.environ["BASE_URL"] + "/compat/searxng/a.b.c.d", retries=0)
for client, query in ((search, "captcha: coffee"), (wrong, "coffee")):
    try:
        client.text(query)
        raise AssertionError(f"{query} is not refused")
    except SearXNGSearchException:
        pass

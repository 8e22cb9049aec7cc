"""`SearxSearchWrapper` of LangChain, in the ways that its users use it."""

import asyncio
import os

from langchain_community.utilities import SearxSearchWrapper

search = SearxSearchWrapper(searx_host=os.environ["SEARXNG_URL"])
results = search.results("coffee grinder", num_results=10)
assert len(results) == 10 and all(each["link"].startswith("http") for each in results), results
assert len(search.run("coffee grinder")) > 50

bing = search.results("coffee grinder", num_results=5, engines=["bing"])
assert all(each["engines"] == ["bing"] for each in bing), bing
by_bang = search.results("coffee grinder", num_results=5, query_suffix="!bing")
assert by_bang == bing, (by_bang, bing)
videos = SearxSearchWrapper(searx_host=os.environ["SEARXNG_URL"], categories=["videos"])
assert all(each["engines"] == ["youtube"] for each in videos.results("coffee grinder", num_results=5))
assert search.results("coffee grinder", num_results=5, time_range="month", language="de")
assert asyncio.run(search.aresults("coffee grinder", num_results=10)) == results

# With an API key in a header instead of a search key in the address.
address = os.environ["BASE_URL"] + "/compat/searxng/search"
headers = {"Authorization": "Bearer " + os.environ["API_KEY"]}
assert SearxSearchWrapper(searx_host=address, headers=headers).results("coffee grinder", num_results=10) == results

for host, query in (
    (os.environ["SEARXNG_URL"], "captcha: coffee"),
    (os.environ["BASE_URL"] + "/compat/searxng/a.b.c.d", "coffee"),
):
    try:
        SearxSearchWrapper(searx_host=host).run(query)
        raise AssertionError(f"{query} is not refused")
    except ValueError as error:
        assert "error" in str(error), error

"""`GoogleSerperAPIWrapper` of LangChain, in the ways that its users use it."""

import asyncio
import os

import aiohttp
import requests
from langchain_community.utilities import GoogleSerperAPIWrapper

address = os.environ["BASE_URL"] + "/compat/serper"
original = "https://google.serper.dev"
send = requests.Session.request
requests.Session.request = lambda self, method, url, **more: send(self, method, url.replace(original, address), **more)
asend = aiohttp.ClientSession.post
aiohttp.ClientSession.post = lambda self, url, **more: asend(self, url.replace(original, address), **more)
os.environ["SERPER_API_KEY"] = os.environ["API_KEY"]

search = GoogleSerperAPIWrapper(k=5, gl="us", hl="en")
results = search.results("coffee grinder")
assert [each["position"] for each in results["organic"]] == [1, 2, 3, 4, 5], results
assert results["searchParameters"]["q"] == "coffee grinder"
assert len(search.run("coffee grinder")) > 50
assert asyncio.run(search.aresults("coffee grinder"))["organic"] == results["organic"]
assert asyncio.run(search.arun("coffee grinder")) == search.run("coffee grinder")
assert GoogleSerperAPIWrapper(tbs="qdr:w").results("coffee grinder")["organic"]

for kind, query in (("news", "coffee news"), ("images", "coffee pictures"), ("places", "coffee near me")):
    answer = GoogleSerperAPIWrapper(type=kind).results(query)
    assert isinstance(answer[kind], list), (kind, answer)

for query, key, status in (("captcha: coffee", os.environ["API_KEY"], 502), ("coffee", "nonsense", 403)):
    try:
        GoogleSerperAPIWrapper(serper_api_key=key).run(query)
        raise AssertionError(f"{query} is not refused")
    except requests.HTTPError as error:
        assert error.response.status_code == status, error

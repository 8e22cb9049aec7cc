"""The client `serpapi` of PyPI, in the ways that its users use it."""

import os
import time

import serpapi

serpapi.Client.BASE_DOMAIN = os.environ["BASE_URL"] + "/compat/serpapi"
client = serpapi.Client(api_key=os.environ["API_KEY"])


def links(results):
    return [each["link"] for each in results["organic_results"]]


first = client.search(engine="google", q="coffee grinder", location="Austin, Texas, United States", hl="en", gl="us")
assert [each["position"] for each in first["organic_results"]] == list(range(1, 11)), first

# Pages follow the address that the answer names.
pages = list(first.yield_pages(max_pages=3))
assert len({link for page in pages for link in links(page)}) == 30, [links(page) for page in pages]

# The archive has the page that was asked for, in both forms.
for page in pages:
    search_id = page["search_metadata"]["id"]
    archived = client.search_archive(search_id=search_id)
    assert links(archived) == links(page), (search_id, links(archived), links(page))
    assert archived["search_parameters"] == page["search_parameters"]
html = client.search_archive(search_id=first["search_metadata"]["id"], output="html")
assert isinstance(html, str) and "<html" in html, html[:200]
page_html = client.search(engine="google", q="coffee grinder", output="html")
assert isinstance(page_html, str) and "<html" in page_html

# An asynchronous search is read until it is done.
search = client.search(engine="google", q="coffee filter", **{"async": True})
deadline = time.time() + 60
while search["search_metadata"]["status"] in ("Queued", "Processing"):
    assert time.time() < deadline
    time.sleep(0.5)
    search = client.search_archive(search_id=search["search_metadata"]["id"])
assert len(search["organic_results"]) > 0, search

for engine, query, results in [
    ("bing", "q", "organic_results"),
    ("yahoo", "p", "organic_results"),
    ("youtube", "search_query", "video_results"),
]:
    assert client.search({"engine": engine, query: "coffee grinder"})[results], engine

assert client.account()["account_id"]
assert "Austin,Texas,United States" in [each["canonical_name"] for each in client.locations(q="Austin", limit=5)]

# A refused page is an error, and so is a wrong key.
for options, status in [({"q": "captcha: coffee"}, 502), ({"q": "coffee", "api_key": "nonsense"}, 401), ({"q": ""}, 400)]:
    try:
        client.search(engine="google", **options)
        raise AssertionError(f"{options} is not refused")
    except serpapi.HTTPError as error:
        assert error.status_code == status and error.error, (options, error)

"""The client `google-search-results` of PyPI, in the ways that its users use it."""

import os

from serpapi import BingSearch, GoogleSearch, YahooSearch, YoutubeSearch

address = os.environ["BASE_URL"] + "/compat/serpapi"
for each in (GoogleSearch, BingSearch, YahooSearch, YoutubeSearch):
    each.BACKEND = address
    each.SERP_API_KEY = os.environ["API_KEY"]

search = GoogleSearch({"q": "coffee grinder", "location": "Austin, Texas, United States"})
first = search.get_dict()
assert first["organic_results"][0]["position"] == 1, first
assert search.get_object().organic_results[0].link.startswith("http")

archived = search.get_search_archive(first["search_metadata"]["id"])
assert archived["organic_results"] == first["organic_results"]
assert "<html" in search.get_search_archive(first["search_metadata"]["id"], "html")

# Its pages after the first one begin one result later than those of the other client.
pages = [page["organic_results"] for page in GoogleSearch({"q": "coffee grinder"}).pagination(0, 30, 10)]
links = [each["link"] for page in pages for each in page]
assert len(pages) == 3 and len(set(links)) == len(links), [len(page) for page in pages]

assert BingSearch({"q": "coffee grinder"}).get_dict()["organic_results"]
assert YahooSearch({"p": "coffee grinder"}).get_dict()["organic_results"]
assert YoutubeSearch({"search_query": "coffee grinder"}).get_dict()["video_results"]

assert GoogleSearch({}).get_account()["account_email"] is not None
assert GoogleSearch({}).get_location("Austin", 3)[0]["canonical_name"]

refused = GoogleSearch({"q": "captcha: coffee"}).get_dict()
assert refused["search_metadata"]["status"] == "Error" and refused["error"], refused
assert "organic_results" not in refused
GoogleSearch.SERP_API_KEY = "nonsense"
assert GoogleSearch({"q": "coffee"}).get_dict()["error"].startswith("Invalid API key")

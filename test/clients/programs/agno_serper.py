"""`SerperTools` of agno, in the ways that an agent uses it."""

import json
import os

import requests
from agno.tools.serper import SerperTools

address = os.environ["BASE_URL"] + "/compat/serper"
send = requests.Session.request
requests.Session.request = lambda self, method, url, **more: send(
    self, method, url.replace("https://google.serper.dev", address), **more
)

tools = SerperTools(api_key=os.environ["API_KEY"], location="us", language="en", num_results=5)
web = json.loads(tools.search_web("coffee grinder"))
assert [each["position"] for each in web["organic"]] == [1, 2, 3, 4, 5], web
assert len(json.loads(tools.search_web("coffee grinder", num_results=20))["organic"]) == 20
assert isinstance(json.loads(tools.search_news("coffee news"))["news"], list)

# The service has no results of papers, and a refused page is an error.
assert "404" in json.loads(tools.search_scholar("coffee"))["error"]
assert "502" in json.loads(tools.search_web("captcha: coffee"))["error"]
assert "403" in json.loads(SerperTools(api_key="nonsense").search_web("coffee"))["error"]

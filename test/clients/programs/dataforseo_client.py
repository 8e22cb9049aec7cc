"""The client `dataforseo-client` of PyPI, in the ways that its users use it."""

import os
import time

from dataforseo_client import ApiClient, Configuration
from dataforseo_client.api.appendix_api import AppendixApi
from dataforseo_client.api.keywords_data_api import KeywordsDataApi
from dataforseo_client.api.serp_api import SerpApi
from dataforseo_client.exceptions import ApiException
from dataforseo_client.models.keywords_data_google_ads_keywords_for_keywords_live_request_info import (
    KeywordsDataGoogleAdsKeywordsForKeywordsLiveRequestInfo,
)
from dataforseo_client.models.keywords_data_google_ads_keywords_for_keywords_task_post_request_info import (
    KeywordsDataGoogleAdsKeywordsForKeywordsTaskPostRequestInfo,
)
from dataforseo_client.models.keywords_data_google_ads_search_volume_live_request_info import (
    KeywordsDataGoogleAdsSearchVolumeLiveRequestInfo,
)
from dataforseo_client.models.keywords_data_google_ads_search_volume_task_post_request_info import (
    KeywordsDataGoogleAdsSearchVolumeTaskPostRequestInfo,
)
from dataforseo_client.models.keywords_data_google_trends_explore_live_request_info import (
    KeywordsDataGoogleTrendsExploreLiveRequestInfo,
)
from dataforseo_client.models.serp_bing_organic_live_regular_request_info import SerpBingOrganicLiveRegularRequestInfo
from dataforseo_client.models.serp_google_organic_live_advanced_request_info import (
    SerpGoogleOrganicLiveAdvancedRequestInfo,
)
from dataforseo_client.models.serp_google_organic_live_regular_request_info import (
    SerpGoogleOrganicLiveRegularRequestInfo,
)
from dataforseo_client.models.serp_google_organic_task_post_request_info import SerpGoogleOrganicTaskPostRequestInfo
from dataforseo_client.models.serp_yahoo_organic_live_advanced_request_info import (
    SerpYahooOrganicLiveAdvancedRequestInfo,
)
from dataforseo_client.models.serp_youtube_organic_live_advanced_request_info import (
    SerpYoutubeOrganicLiveAdvancedRequestInfo,
)

address = os.environ["BASE_URL"] + "/compat/dataforseo"
user = os.environ["USER_ID"]
serp = SerpApi(ApiClient(Configuration(host=address, username=user, password=os.environ["API_KEY"])))
place = {"location_code": 2840, "language_code": "en"}

# Live: the short form, and the long one with each kind of element that the sandbox shows.
regular = serp.google_organic_live_regular([SerpGoogleOrganicLiveRegularRequestInfo(keyword="coffee", **place)])
assert regular.status_code == 20000 and regular.tasks_error == 0, regular
items = regular.tasks[0].result[0].items
assert [each.rank_group for each in items if each.type == "organic"] == list(range(1, 11)), items

found = set()
for keyword in ("coffee", "coffee near me", "buy coffee", "coffee news", "coffee video", "how to brew coffee", "what is coffee"):
    answer = serp.google_organic_live_advanced(
        [SerpGoogleOrganicLiveAdvancedRequestInfo(keyword=keyword, depth=20, **place)]
    )
    result = answer.tasks[0].result[0]
    assert [each.rank_absolute for each in result.items] == list(range(1, len(result.items) + 1)), keyword
    assert result.items_count == len(result.items) and result.location_code == 2840
    assert all(type(each).__name__ != "BaseSerpApiElementItem" for each in result.items), result.items
    found |= {each.type for each in result.items}
assert {"organic", "people_also_ask", "related_searches"} <= found, found

bing = serp.bing_organic_live_regular([SerpBingOrganicLiveRegularRequestInfo(keyword="coffee", **place)])
assert bing.tasks[0].result[0].items[0].url, bing
yahoo = serp.yahoo_organic_live_advanced([SerpYahooOrganicLiveAdvancedRequestInfo(keyword="coffee", **place)])
assert yahoo.tasks[0].result[0].items[0].url, yahoo
youtube = serp.youtube_organic_live_advanced([SerpYoutubeOrganicLiveAdvancedRequestInfo(keyword="coffee", **place)])
assert "youtube_video" in {each.type for each in youtube.tasks[0].result[0].items}, youtube

# Tasks: posted together, one of them wrong, listed when they are ready, and listed no more when they were read.
posted = serp.google_organic_task_post(
    [
        SerpGoogleOrganicTaskPostRequestInfo(keyword="coffee cup", tag="one", priority=2, depth=30, **place),
        SerpGoogleOrganicTaskPostRequestInfo(
            keyword="coffee mug", tag="two", location_name="Austin,Texas,United States", language_name="English"
        ),
        SerpGoogleOrganicTaskPostRequestInfo(keyword="captcha: coffee", tag="three", **place),
        SerpGoogleOrganicTaskPostRequestInfo(keyword="coffee", language_code="en"),
    ]
)
assert [each.status_code for each in posted.tasks] == [20100, 20100, 20100, 40501], posted
assert posted.tasks_error == 1
ids = [each.id for each in posted.tasks[:3]]


def ready():
    return {each.id: each for each in serp.google_organic_tasks_ready().tasks[0].result or []}


deadline = time.time() + 60
while not set(ids) <= set(ready()):
    assert time.time() < deadline, ready()
    time.sleep(1)
assert [ready()[each].tag for each in ids] == ["one", "two", "three"]

one = serp.google_organic_task_get_advanced(ids[0]).tasks[0]
assert one.status_code == 20000 and one.data["tag"] == "one", one
assert len([each for each in one.result[0].items if each.type == "organic"]) == 30
two = serp.google_organic_task_get_regular(ids[1]).tasks[0]
assert two.result[0].items[0].title and two.data["location_name"] == "Austin,Texas,United States"
html = serp.google_organic_task_get_html(ids[0]).tasks[0].result[0]
assert [each.page for each in html.items] == [1, 2, 3] and "<html" in html.items[0].html
three = serp.google_organic_task_get_regular(ids[2]).tasks[0]
assert three.status_code == 40103 and "captcha" in three.status_message and three.result is None, three
assert not set(ids) & set(ready())

# What does not exist, and what the service refuses.
assert serp.google_organic_task_get_regular("00000000-0000-0000-0000-000000000001").tasks[0].status_code == 40401
assert serp.bing_organic_task_get_regular(ids[0]).tasks[0].status_code == 40002
refused = serp.google_organic_live_regular([SerpGoogleOrganicLiveRegularRequestInfo(keyword="captcha: tea", **place)])
assert refused.tasks[0].status_code == 40103 and refused.tasks[0].result is None, refused

keywords = KeywordsDataApi(ApiClient(Configuration(host=address, username=user, password=os.environ["API_KEY"])))
volumes = keywords.google_ads_search_volume_live(
    [KeywordsDataGoogleAdsSearchVolumeLiveRequestInfo(keywords=["coffee", "tea"], **place)]
)
assert [each.keyword for each in volumes.tasks[0].result] == ["coffee", "tea"], volumes
assert volumes.tasks[0].result[0].search_volume > 0 and volumes.tasks[0].result[0].monthly_searches
tasks = {
    "search_volume": keywords.google_ads_search_volume_task_post(
        [KeywordsDataGoogleAdsSearchVolumeTaskPostRequestInfo(keywords=["coffee jar", "tea jar"], tag="jars", **place)]
    ),
    "keywords_for_keywords": keywords.google_ads_keywords_for_keywords_task_post(
        [KeywordsDataGoogleAdsKeywordsForKeywordsTaskPostRequestInfo(keywords=["coffee jar"], tag="jars", **place)]
    ),
}
for name, answer in tasks.items():
    [task] = answer.tasks
    assert task.status_code == 20100, answer
    list_ready = getattr(keywords, f"google_ads_{name}_tasks_ready")
    deadline = time.time() + 60
    while task.id not in {each.id: each.tag for each in list_ready().tasks[0].result or []}:
        assert time.time() < deadline, list_ready()
        time.sleep(1)
    ended = getattr(keywords, f"google_ads_{name}_task_get")(task.id).tasks[0]
    assert ended.status_code == 20000 and ended.data["tag"] == "jars", ended
    assert ended.result[0].keyword == "coffee jar" and ended.result[0].search_volume > 0, ended
ideas = keywords.google_ads_keywords_for_keywords_live(
    [KeywordsDataGoogleAdsKeywordsForKeywordsLiveRequestInfo(keywords=["coffee jar"], **place)]
)
assert len(ideas.tasks[0].result) > 1, ideas
trends = keywords.google_trends_explore_live(
    [KeywordsDataGoogleTrendsExploreLiveRequestInfo(keywords=["coffee"], location_name="United States")]
)
items = trends.tasks[0].result[0].items
assert [each.type for each in items] == ["google_trends_graph", "google_trends_queries_list"], trends
assert len(items[0].data) > 40 and items[1].data.top, items

assert len(serp.google_locations().tasks[0].result) > 200
assert [each.country_iso_code for each in serp.google_locations_country("de").tasks[0].result] == ["DE"]
assert "en" in [each.language_code for each in serp.google_languages().tasks[0].result]
client = ApiClient(Configuration(host=address, username=user, password=os.environ["API_KEY"]))
assert AppendixApi(client).user_data().tasks[0].result[0].login
for login, password in ((user, "nonsense"), ("someone@example.com", os.environ["API_KEY"])):
    try:
        AppendixApi(ApiClient(Configuration(host=address, username=login, password=password))).user_data()
        raise AssertionError("A wrong key works")
    except ApiException as error:
        assert error.status == 401, error

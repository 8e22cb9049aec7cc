"""Uses the service with the client that openapi-python-client makes of its document. Arguments: the address of the service, and a key."""

import sys
import time
from typing import TypeVar

from search_ranking_and_keyword_data_service_client import AuthenticatedClient
from search_ranking_and_keyword_data_service_client.api.account import read_user
from search_ranking_and_keyword_data_service_client.api.keyword import create_volume_tasks, find_volumes, read_volume_task
from search_ranking_and_keyword_data_service_client.api.reporting import (
    add_keywords,
    create_project,
    list_managed_projects,
    list_tracked_keywords,
)
from search_ranking_and_keyword_data_service_client.api.serp import (
    create_google_batch,
    create_google_task,
    create_live_task,
    list_google_tasks,
    read_batch,
    read_google_task,
    read_task,
)
from search_ranking_and_keyword_data_service_client.models import (
    AddedKeywords,
    CrawlRequest,
    CreateLiveTaskSystemName,
    Failure,
    GoogleCrawlRequest,
    GoogleSerpTask,
    HTTPValidationError,
    KeywordDataTaskRequest,
    KeywordRequest,
    ListGoogleTasksStatus,
    ManagedKeywordList,
    ManagedProject,
    ManagedProjectList,
    ProjectRequest,
    RawResult,
    SerpTaskFields,
    TrackingResult,
)
from search_ranking_and_keyword_data_service_client.models.find_volumes_body import FindVolumesBody

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)

T = TypeVar("T")


def must(value: object, kind: type[T]) -> T:
    assert isinstance(value, kind), value
    return value


def finished(task_id: int) -> GoogleSerpTask:
    while True:
        task = must(read_google_task.sync(task_id, client=client, wait=5), GoogleSerpTask)
        if task.status in ("success", "error", "dead_letter"):
            return task


# Only the fields that are required.
minimal = GoogleCrawlRequest(keyword="coffee grinder", location_name="United States", iso_code="US")

created = must(create_google_task.sync(client=client, body=minimal), GoogleSerpTask)
assert created.status == "awaiting" and created.depth == 10
raw = finished(created.id)
assert raw.status == "success"
assert len(must(raw.result, RawResult).left) > 0

tracking = GoogleCrawlRequest(keyword="coffee", location_name="United States", iso_code="US", domain="example.com")
tracked = finished(must(create_google_task.sync(client=client, body=tracking), GoogleSerpTask).id)
assert int(must(tracked.result, TrackingResult)["example.com"].results.organic.position) > 0

v1 = create_live_task.sync(
    CreateLiveTaskSystemName.BING, client=client, body=CrawlRequest(keyword="coffee", location_name="United States", iso_code="US")
)
assert v1 is not None and not isinstance(v1, Failure) and hasattr(v1, "id"), v1
named = must(read_task.sync(v1.id, client=client, fields="id,status"), SerpTaskFields)
assert named.to_dict() == {"id": v1.id, "status": "success"}, named

batch = create_google_batch.sync_detailed(client=client, body=[minimal, minimal])
assert len(must(batch.parsed, list)) == 2
progress = read_batch.sync(int(batch.headers["x-batch-id"]), client=client)
assert progress is not None and not isinstance(progress, Failure) and hasattr(progress, "total") and progress.total == 2

tasks = list_google_tasks.sync(client=client, status=ListGoogleTasksStatus.SUCCESS)
assert tasks is not None and hasattr(tasks, "items") and created.id in [task.id for task in tasks.items]

accepted = must(create_volume_tasks.sync(client=client, body=[KeywordDataTaskRequest(key="coffee")]), list)
while True:
    volume = read_volume_task.sync(accepted[0].id, client=client)
    assert volume is not None and hasattr(volume, "status") and volume.status in ("awaiting", "parsing", "success"), volume
    if volume.status == "success":
        break
    time.sleep(0.3)
live = find_volumes.sync(client=client, body=FindVolumesBody(keywords=["coffee"]))
assert live is not None and hasattr(live, "results") and live.results[0].key == "coffee"

project = must(create_project.sync(client=client, body=ProjectRequest(name="Coffee", domain="example.com")), ManagedProject)
keyword = KeywordRequest(keyword="coffee", iso_code="US", location_name="United States")
added = must(add_keywords.sync(project.project_id, client=client, body=[keyword]), AddedKeywords)
assert added.added == 1
keywords = must(list_tracked_keywords.sync(project.project_id, client=client), ManagedKeywordList)
assert keywords.data[0].keyword == "coffee"
projects = must(list_managed_projects.sync(client=client), ManagedProjectList)
assert project.project_id in [each.project_id for each in projects.data]

empty = GoogleCrawlRequest(keyword="", location_name="United States", iso_code="US")
invalid = must(create_google_task.sync(client=client, body=empty), HTTPValidationError)
assert invalid.detail[0].type_ == "string_too_short", invalid

user = read_user.sync(client=client)
assert user is not None and not isinstance(user, Failure) and user.enabled and user.api_key == key
refused = must(read_user.sync(client=AuthenticatedClient(base_url=url, token="no")), Failure)
assert refused.detail == "Could not validate credentials"

print("openapi-python-client: all steps succeeded")

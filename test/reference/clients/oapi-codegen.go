// Uses the service with the client that oapi-codegen makes of its document. Arguments: the address of the
// service, and a key.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"example/client"
)

func check(isTrue bool, what string) {
	if !isTrue {
		panic("oapi-codegen: " + what)
	}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func pointer[Value any](value Value) *Value { return &value }

var final = []client.TaskStatus{client.TaskStatusSuccess, client.TaskStatusError, client.TaskStatusDeadLetter}

func main() {
	ctx := context.Background()
	withKey := client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	})
	api := must(client.NewClientWithResponses(os.Args[1], withKey))

	finished := func(id client.TaskId) client.GoogleSerpTask {
		for {
			answer := must(api.ReadGoogleTaskWithResponse(ctx, id, &client.ReadGoogleTaskParams{Wait: pointer(5)}))
			task := must(answer.JSON200.AsGoogleSerpTask())
			if slices.Contains(final, task.Status) {
				return task
			}
		}
	}

	// Only the fields that are required.
	minimal := client.GoogleCrawlRequest{Keyword: "coffee grinder", LocationName: "United States", IsoCode: "US"}
	created := must(api.CreateGoogleTaskWithResponse(ctx, nil, minimal)).JSON200
	check(created.Status == client.TaskStatusAwaiting && created.Depth == 10, "a new task")
	raw := finished(created.Id)
	check(raw.Status == client.TaskStatusSuccess && len(must(raw.Result.AsRawResult()).Left) > 0, "a result with items")

	withDomain := minimal
	withDomain.Domain = pointer("example.com")
	tracked := must(api.CreateGoogleTaskWithResponse(ctx, nil, withDomain)).JSON200
	ranks := must(finished(tracked.Id).Result.AsTrackingResult())
	check(must(strconv.Atoi(ranks.AdditionalProperties["example.com"].Results.Organic.Position)) > 0, "a result with domains")

	crawl := client.CrawlRequest{Keyword: "coffee", LocationName: "United States", IsoCode: "US"}
	v1 := must(api.CreateLiveTaskWithResponse(ctx, "bing", nil, crawl)).JSON200
	check(v1.Status == client.TaskStatusSuccess, "a live task")
	fields := must(api.ReadTaskWithResponse(ctx, v1.Id, &client.ReadTaskParams{Fields: pointer("id,status")})).JSON200
	named := must(fields.AsSerpTaskFields())
	check(*named.Id == v1.Id && named.Keyword == nil, "only the named fields")

	batch := must(api.CreateGoogleBatchWithResponse(ctx, nil, client.CreateGoogleBatchJSONRequestBody{minimal, minimal}))
	check(len(*batch.JSON200) == 2, "a batch")
	id := must(strconv.ParseInt(batch.HTTPResponse.Header.Get("x-batch-id"), 10, 64))
	progress := must(api.ReadBatchWithResponse(ctx, id)).JSON200
	check(progress.Total == 2 && progress.Counts.Awaiting <= 2, "a batch with counts")

	answer := must(api.ListGoogleTasksWithResponse(ctx, &client.ListGoogleTasksParams{Status: pointer(client.ListGoogleTasksParamsStatus("success"))}))
	list := must(answer.JSON200.AsListGoogleSerpTask())
	check(slices.ContainsFunc(list.Items, func(task client.GoogleSerpTask) bool { return task.Id == created.Id }), "a list")

	accepted := *must(api.CreateVolumeTasksWithResponse(ctx, nil, client.CreateVolumeTasksJSONRequestBody{{Key: "coffee"}})).JSON200
	for {
		volume := must(api.ReadVolumeTaskWithResponse(ctx, accepted[0].Id, nil)).JSON200
		if volume.Status == client.KeywordSuccess {
			break
		}
		check(volume.Status == client.KeywordAwaiting || volume.Status == client.KeywordParsing, "a keyword task that ends in success")
		time.Sleep(300 * time.Millisecond)
	}
	live := must(api.FindVolumesWithResponse(ctx, client.FindVolumesJSONRequestBody{Keywords: []string{"coffee"}})).JSON200
	check(live.Results[0].Key == "coffee", "a live volume")

	project := must(api.CreateProjectWithResponse(ctx, client.ProjectRequest{Name: "Coffee", Domain: "example.com"})).JSON200
	keyword := client.KeywordRequest{Keyword: "coffee", IsoCode: "US", LocationName: pointer("United States")}
	added := must(api.AddKeywordsWithResponse(ctx, project.ProjectId, nil, client.AddKeywordsJSONRequestBody{keyword})).JSON200
	check(added.Added == 1, "an added keyword")
	keywords := must(api.ListTrackedKeywordsWithResponse(ctx, project.ProjectId, nil)).JSON200
	check(keywords.Data[0].Keyword == "coffee", "a list of keywords")
	projects := must(api.ListManagedProjectsWithResponse(ctx, nil)).JSON200
	check(slices.ContainsFunc(projects.Data, func(each client.ManagedProject) bool { return each.ProjectId == project.ProjectId }), "a list of projects")

	empty := minimal
	empty.Keyword = ""
	refused := must(api.CreateGoogleTaskWithResponse(ctx, nil, empty))
	check(refused.StatusCode() == 422 && refused.JSON422.Detail[0].Type == "string_too_short", "a 422 with its errors")

	fmt.Println("oapi-codegen: all steps succeeded")
}

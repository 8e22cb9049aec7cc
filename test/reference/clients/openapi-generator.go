// Uses the service with the client that OpenAPI Generator (go) makes of its document. Arguments: the address
// of the service, and a key.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"example/client"
)

func check(isTrue bool, what string) {
	if !isTrue {
		panic("OpenAPI Generator (go): " + what)
	}
}

// Returns the value of an answer, and ends the program if there is an error.
func must[Value any, Response any](value Value, _ Response, err error) Value {
	if err != nil {
		if failure, ok := err.(*client.GenericOpenAPIError); ok {
			panic(err.Error() + " " + string(failure.Body()))
		}
		panic(err)
	}
	return value
}

var final = []client.TaskStatus{client.SUCCESS, client.ERROR, client.DEAD_LETTER}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api := client.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Args[2])

	finished := func(id int64) *client.GoogleSerpTask {
		for {
			task := must(api.SerpAPI.ReadGoogleTask(ctx, id).Wait(5).Execute()).GoogleSerpTask
			if slices.Contains(final, task.Status) {
				return task
			}
		}
	}

	// Only the fields that are required.
	minimal := *client.NewGoogleCrawlRequest("coffee grinder", "United States", "US")
	created := must(api.SerpAPI.CreateGoogleTask(ctx).GoogleCrawlRequest(minimal).Execute())
	check(created.Status == client.AWAITING && created.Depth == 10, "a new task")
	raw := finished(created.Id)
	result := raw.Result.Get()
	check(raw.Status == client.SUCCESS && len(result.RawResult.Left) > 0, "a result with items")

	withDomain := minimal
	withDomain.SetDomain("example.com")
	tracked := must(api.SerpAPI.CreateGoogleTask(ctx).GoogleCrawlRequest(withDomain).Execute())
	ranks := finished(tracked.Id).Result.Get().TrackingResult
	_, hasDomain := ranks.AdditionalProperties["example.com"]
	check(hasDomain, "a result with domains")

	crawl := *client.NewCrawlRequest("coffee", "United States", "US")
	v1 := must(api.SerpAPI.CreateLiveTask(ctx, "bing").CrawlRequest(crawl).Execute())
	check(v1.Status == client.SUCCESS, "a live task")
	named := must(api.SerpAPI.ReadTask(ctx, v1.Id).Fields("id,status").Execute())
	check(named.SerpTask == nil && *named.SerpTaskFields.Id == v1.Id, "only the named fields")

	tasks, response, err := api.SerpAPI.CreateGoogleBatch(ctx).GoogleCrawlRequest([]client.GoogleCrawlRequest{minimal, minimal}).Execute()
	check(len(must(tasks, response, err)) == 2, "a batch")
	batch, err := strconv.ParseInt(response.Header.Get("x-batch-id"), 10, 64)
	check(err == nil, "the id of a batch")
	progress := must(api.SerpAPI.ReadBatch(ctx, batch).Execute())
	check(progress.Total == 2 && progress.Counts.Awaiting <= 2, "a batch with counts")

	list := must(api.SerpAPI.ListGoogleTasks(ctx).Status("success").Execute()).ListGoogleSerpTask
	check(slices.ContainsFunc(list.Items, func(task client.GoogleSerpTask) bool { return task.Id == created.Id }), "a list")

	key := []client.KeywordDataTaskRequest{*client.NewKeywordDataTaskRequest("coffee")}
	accepted := must(api.KeywordAPI.CreateVolumeTasks(ctx).KeywordDataTaskRequest(key).Execute())
	for {
		volume := must(api.KeywordAPI.ReadVolumeTask(ctx, accepted[0].Id).Execute())
		if volume.Status == client.KeywordSuccess {
			break
		}
		check(volume.Status == client.KeywordAwaiting || volume.Status == client.KeywordParsing, "a keyword task that ends in success")
		time.Sleep(300 * time.Millisecond)
	}
	live := must(api.KeywordAPI.FindVolumes(ctx).FindVolumesRequest(*client.NewFindVolumesRequest([]string{"coffee"})).Execute())
	check(live.Results[0].Key == "coffee", "a live volume")

	project := must(api.ReportingAPI.CreateProject(ctx).ProjectRequest(*client.NewProjectRequest("Coffee", "example.com")).Execute())
	keyword := *client.NewKeywordRequest("coffee", "US")
	keyword.SetLocationName("United States")
	added := must(api.ReportingAPI.AddKeywords(ctx, project.ProjectId).KeywordRequest([]client.KeywordRequest{keyword}).Execute())
	check(added.Added == 1, "an added keyword")
	keywords := must(api.ReportingAPI.ListTrackedKeywords(ctx, project.ProjectId).Execute())
	check(keywords.Data[0].Keyword == "coffee", "a list of keywords")
	projects := must(api.ReportingAPI.ListManagedProjects(ctx).Execute())
	check(slices.ContainsFunc(projects.Data, func(each client.ManagedProject) bool { return each.ProjectId == project.ProjectId }), "a list of projects")

	empty := minimal
	empty.Keyword = ""
	_, response, err = api.SerpAPI.CreateGoogleTask(ctx).GoogleCrawlRequest(empty).Execute()
	failure, isFailure := err.(*client.GenericOpenAPIError)
	check(isFailure && response.StatusCode == 422, "a refused request")
	invalid, isInvalid := failure.Model().(client.HTTPValidationError)
	check(isInvalid && invalid.Detail[0].Type == "string_too_short", "a 422 with its errors")

	fmt.Println("OpenAPI Generator (go): all steps succeeded")
}

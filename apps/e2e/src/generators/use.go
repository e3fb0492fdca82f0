// Uses the client that OpenAPI Generator makes for Go: `use <base URL> <access token>`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"openapi"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Args[1]}}
	client := openapi.NewAPIClient(configuration)
	anonymous := context.Background()
	staff := context.WithValue(anonymous, openapi.ContextAccessToken, os.Args[2])

	form, _, err := client.FormsAPI.CreateForm(staff).FormBody(*openapi.NewFormBody("Generated client")).Execute()
	check(err)

	created := []string{}
	for n := 1; n <= 3; n++ {
		body := openapi.NewSubmissionBody()
		body.SetIsComplete(true)
		body.SetJsonData(fmt.Sprintf(`{"n":%d}`, n))
		submission, _, err := client.SubmissionsAPI.CreateSubmission(anonymous, form.Id).SubmissionBody(*body).Execute()
		check(err)
		created = append([]string{submission.Id}, created...)
	}

	listed := []string{}
	request := client.SubmissionsAPI.ListSubmissions(staff, form.Id).Limit(2)
	for {
		page, _, err := request.Execute()
		check(err)
		for _, item := range page.Items {
			listed = append(listed, item.Submission.Id)
		}
		if !page.Next.IsSet() || page.Next.Get() == nil {
			break
		}
		request = request.After(*page.Next.Get())
	}

	var problem *openapi.GenericOpenAPIError
	_, _, err = client.FormsAPI.GetForm(staff, "1").Execute()
	if !errors.As(err, &problem) {
		check(fmt.Errorf("a missing form is no problem: %v", err))
	}
	// Clients of 7.0.0 leave Model() empty, because they do not know application/problem+json as JSON.
	var missing openapi.NotFoundProblem
	check(json.Unmarshal(problem.Body(), &missing))

	endpoint := openapi.NewWebhookEndpointSettings("https://hooks.example.org")
	none := openapi.NewWebhookNoAuthentication("None")
	endpoint.SetAuthentication(openapi.WebhookNoAuthenticationAsWebhookAuthentication(none))
	event := openapi.NewWebhookEventSettings(false)
	event.SetWebHookEndpoints([]openapi.WebhookEndpointSettings{*endpoint})
	events := openapi.NewWebhookSettingsEvents()
	events.SetFormUpdated(*event)
	settings := openapi.NewWebhookSettings()
	settings.SetEvents(*events)
	body := openapi.NewFormWebhookSettingsBody(*settings)
	saved, _, err := client.FormsAPI.SaveFormWebhookSettings(staff, form.Id).FormWebhookSettingsBody(*body).Execute()
	check(err)
	first := saved.Settings.Get().Events.FormUpdated.WebHookEndpoints[0]

	result, err := json.Marshal(map[string]interface{}{
		"created": created,
		"listed":  listed,
		"code":    missing.ErrorCode,
		"type":    first.Authentication.MaskedWebhookNoAuthentication.Type,
	})
	check(err)
	fmt.Println(string(result))
}

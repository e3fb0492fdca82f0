# Uses the client that OpenAPI Generator makes for Python: `use.py <base URL> <access token>`.
import json
import sys

import openapi_client as api

base_url, token = sys.argv[1:]
staff = api.ApiClient(api.Configuration(host=base_url, access_token=token))
anonymous = api.ApiClient(api.Configuration(host=base_url))

forms = api.FormsApi(staff)
form = forms.create_form(api.FormBody(name="Generated client"))

created = []
for n in (1, 2, 3):
    body = api.SubmissionBody(is_complete=True, json_data=json.dumps({"n": n}))
    created.insert(0, api.SubmissionsApi(anonymous).create_submission(form.id, body).id)

listed = []
after = None
while True:
    page = api.SubmissionsApi(staff).list_submissions(form.id, limit=2, after=after)
    listed.extend(item.actual_instance.id for item in page.items)
    if not page.next:
        break
    after = page.next

try:
    forms.get_form("1")
    code = None
except api.ApiException as error:
    code = api.NotFoundProblem.from_json(error.body).error_code

authentication = api.WebhookAuthentication(api.WebhookNoAuthentication(type="None"))
endpoint = api.WebhookEndpointSettings(url="https://hooks.example.org", authentication=authentication)
event = api.WebhookEventSettings(is_enabled=False, web_hook_endpoints=[endpoint])
settings = api.WebhookSettings(events=api.WebhookSettingsEvents(form_updated=event))
saved = forms.save_form_webhook_settings(form.id, api.FormWebhookSettingsBody(settings=settings))
first = saved.settings.events.form_updated.web_hook_endpoints[0]

type_name = first.authentication.actual_instance.type
print(json.dumps({"created": created, "listed": listed, "code": code, "type": type_name}))

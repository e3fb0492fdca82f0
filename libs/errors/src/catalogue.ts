/**
 * Every error code a client can meet, with its HTTP status and title. Codes are stable: a client may switch on them,
 * so one is never renamed or given another status. `type` of the problem document is derived from the code.
 */
export const catalogue = {
  validation_failed: { status: 400, title: 'The request is not valid.' },
  malformed_json: { status: 400, title: 'The body is not valid JSON.' },
  malformed_request: { status: 400, title: 'The request cannot be read.' },
  import_rejected: { status: 400, title: 'The import has faults; nothing was changed.' },
  authentication_required: { status: 401, title: 'Authentication is required.' },
  invalid_token: { status: 401, title: 'The access token is not valid.' },
  invalid_credentials: { status: 401, title: 'The credentials are not valid.' },
  permission_denied: { status: 403, title: 'The caller may not do this.' },
  not_found: { status: 404, title: 'Not found.' },
  method_not_allowed: { status: 405, title: 'The resource does not have this method.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  conflict: { status: 409, title: 'The request conflicts with the current state.' },
  idempotency_key_reused: { status: 409, title: 'The idempotency key was used with another request.' },
  submission_already_exists: { status: 409, title: 'This respondent already has a submission.' },
  submission_screened_out: { status: 409, title: 'The submission was screened out.' },
  submission_completed: { status: 409, title: 'The submission is complete; completion cannot be undone.' },
  form_disabled: { status: 409, title: 'The form does not accept submissions.' },
  duplicate_submissions: {
    status: 409,
    title: 'The form already holds more than one submission of a respondent.',
  },
  data_list_in_use: { status: 409, title: 'The data list is used by a form.' },
  email_already_exists: { status: 409, title: 'There is already a user with this e-mail address.' },
  revision_mismatch: { status: 412, title: 'The resource has changed since it was read.' },
  payload_too_large: { status: 413, title: 'The body is too large.' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported.' },
  too_many_requests: { status: 429, title: 'Too many requests.' },
  headers_too_large: { status: 431, title: 'The request headers are too large.' },
  internal_error: { status: 500, title: 'The service failed.' },
  bad_gateway: { status: 502, title: 'The service behind the gateway gave no usable answer.' },
  service_unavailable: { status: 503, title: 'The service is not available.' },
  submitter_resolution_failed: { status: 503, title: 'The respondent could not be identified.' },
  gateway_timeout: { status: 504, title: 'The service behind the gateway did not answer in time.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof catalogue;

/**
 * Every error code of the API with its HTTP status and title. Clients may switch on codes, so a code is never
 * renamed and never gets another status. The `type` of the problem document is derived from the code.
 */
export const catalogue = {
  validation_failed: { status: 400, title: 'The request is not valid.' },
  malformed_json: { status: 400, title: 'The body is not valid JSON.' },
  malformed_request: { status: 400, title: 'The request cannot be parsed.' },
  query_too_broad: { status: 400, title: 'The query would read too many rows.' },
  import_rejected: { status: 400, title: 'The import contains errors; nothing was changed.' },
  authentication_required: { status: 401, title: 'Authentication is required.' },
  invalid_token: { status: 401, title: 'The access token is not valid.' },
  invalid_credentials: { status: 401, title: 'The credentials are not valid.' },
  second_factor_required: { status: 401, title: 'The sign-in needs a code of the second factor.' },
  origin_not_allowed: { status: 403, title: 'The page may not use this operation.' },
  permission_denied: { status: 403, title: 'Permission denied.' },
  challenge_required: { status: 403, title: 'An anonymous create needs a valid response to a challenge.' },
  quota_exceeded: { status: 403, title: 'The tenant has reached a quota.' },
  not_found: { status: 404, title: 'Not found.' },
  method_not_allowed: { status: 405, title: 'Method not allowed.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  conflict: { status: 409, title: 'The request conflicts with the current state.' },
  idempotency_key_reused: { status: 409, title: 'The idempotency key was used with a different request.' },
  submission_already_exists: { status: 409, title: 'This respondent already has a submission.' },
  submission_screened_out: { status: 409, title: 'The submission was screened out.' },
  submission_completed: { status: 409, title: 'The submission is complete; completion cannot be undone.' },
  form_disabled: { status: 409, title: 'The form does not accept submissions.' },
  duplicate_submissions: {
    status: 409,
    title: 'The form already has several submissions of one respondent.',
  },
  data_list_in_use: { status: 409, title: 'The data list is used by a form.' },
  tenant_required: { status: 409, title: 'The sign-in must name the tenant.' },
  refresh_raced: { status: 409, title: 'The session was refreshed by another request.' },
  email_already_exists: { status: 409, title: 'A user with this e-mail address already exists.' },
  revision_mismatch: { status: 412, title: 'The resource has changed since it was read.' },
  payload_too_large: { status: 413, title: 'The body is too large.' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported.' },
  too_many_requests: { status: 429, title: 'Too many requests.' },
  daily_quota_exceeded: { status: 429, title: 'A quota of this day is used up.' },
  headers_too_large: { status: 431, title: 'The request headers are too large.' },
  internal_error: { status: 500, title: 'Internal server error.' },
  bad_gateway: { status: 502, title: 'The upstream service returned an invalid response.' },
  service_unavailable: { status: 503, title: 'The service is unavailable.' },
  submitter_resolution_failed: { status: 503, title: 'The respondent could not be identified.' },
  gateway_timeout: { status: 504, title: 'The upstream service did not respond in time.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof catalogue;

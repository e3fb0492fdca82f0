import { createCheckedFetch } from './checked-fetch';

// Runs in every spec file: all responses of the gateway are compared with the OpenAPI document.
globalThis.fetch = createCheckedFetch(globalThis.fetch);

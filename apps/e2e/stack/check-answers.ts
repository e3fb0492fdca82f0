import { createCheckedFetch } from './checked-fetch';

// Of every spec file: whatever a test asks the gateway, the answer is held to the OpenAPI document.
globalThis.fetch = createCheckedFetch(globalThis.fetch);

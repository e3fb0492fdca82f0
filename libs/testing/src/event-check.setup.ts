import { assertNoEventFaults, resetEventCheck, watchPublishedEvents } from './event-check';

// Runs in every spec file (see jest.preset.js): a published event that breaks its contract fails the current
// test.
watchPublishedEvents();
beforeEach(resetEventCheck);
afterEach(assertNoEventFaults);
afterAll(assertNoEventFaults);

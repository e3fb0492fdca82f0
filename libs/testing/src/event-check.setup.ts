import { assertNoEventFaults, resetEventCheck, watchPublishedEvents } from './event-check';

// Of every spec file whose project can publish (see jest.preset.js): a wrong event fails the test that was running.
watchPublishedEvents();
beforeEach(resetEventCheck);
afterEach(assertNoEventFaults);
afterAll(assertNoEventFaults);

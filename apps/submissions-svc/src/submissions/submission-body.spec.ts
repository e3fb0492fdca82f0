import { wakeTimeOf } from './submission-body';

it.each([
  ['a completion', { isComplete: true, jsonData: '{}' }, 'now'],
  ['a screen-out', { collectionOutcome: 'screen_out' as const }, 'now'],
  ['a page', { isComplete: false, currentPage: 2 }, 'soon'],
  ['an empty submission', {}, 'soon'],
])('the event of %s is published at the time its webhooks need', (_, changes, when) => {
  expect(wakeTimeOf(changes)).toBe(when);
});

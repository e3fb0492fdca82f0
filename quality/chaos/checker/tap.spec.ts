import { jsonDataOf, submissionMarker } from './tap';

it('the marker of a submission is found in its answers', () => {
  expect(submissionMarker(jsonDataOf('change-1'))).toBe('change-1');
  expect(submissionMarker('{"country":"IS"}')).toBeNull();
});

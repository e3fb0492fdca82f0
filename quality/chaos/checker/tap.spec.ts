import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jsonDataOf, submissionMarker } from './tap';

describe('The marker of a submission', () => {
  it('is found in its answers', () => {
    expect(submissionMarker(jsonDataOf('change-1'))).toBe('change-1');
    expect(submissionMarker('{"country":"IS"}')).toBeNull();
  });

  it('does not keep the answers in memory', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const usedMB = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const before = usedMB();
    const markers = Array.from({ length: 100 }, (_, n) =>
      submissionMarker(jsonDataOf(`change-with-number-${n}`, 500_000)),
    );
    expect(usedMB() - before).toBeLessThan(10); // the answers have 50 MB
    expect(markers).toHaveLength(100);
  });
});

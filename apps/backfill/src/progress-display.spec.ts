import { ProgressDisplay } from './progress-display';

function displayed(isTTY: boolean) {
  let text = '';
  const clock = { ms: 0 };
  const screen = { isTTY, write: (part: string) => (text += part) };
  return { display: new ProgressDisplay(screen, () => clock.ms), clock, text: () => text };
}

it('redraws one line on a terminal, at most ten times a second', () => {
  const { display, clock, text } = displayed(true);
  clock.ms = 1_000;
  display.update('A', 1_000, 0, 0);
  for (let rows = 1; rows <= 500; rows += 1) {
    clock.ms += 1;
    display.update('A', 1_000, rows, rows);
  }
  expect(text().split('\r')).toHaveLength(7);
  display.end();
  const last = text().split('\x1b[K').at(-1);
  expect(last).toBe(
    'A  link by submitter id     [############------------]  50 %  500 rows, 500 changed, 1,000 rows/s, 1 s left\n',
  );
});

it('writes a plain line every five seconds elsewhere, and one at the end of a step', () => {
  const { display, clock, text } = displayed(false);
  for (let second = 0; second <= 12; second += 1) {
    clock.ms = second * 1_000;
    display.update('B', 2_400, second * 100, second);
  }
  display.update('C', 2_400, 0, 0);
  display.say('Done.');
  const lines = text().trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/ +/g, ' '))).toEqual([
    'B link by user id 20 % 500 rows, 5 changed, 100 rows/s, 19 s left',
    'B link by user id 41 % 1,000 rows, 10 changed, 100 rows/s, 14 s left',
    'B link by user id 50 % 1,200 rows, 12 changed, 100 rows/s, 12 s left',
    'C link by external subject 0 % 0 rows, 0 changed, 0 rows/s',
    'Done.',
  ]);
  expect(text()).not.toContain('\r');
});

it('shows a hundred percent of an empty table, and never more', () => {
  const { display, text } = displayed(false);
  display.update('E', 0, 0, 0);
  display.update('D', 10, 12, 0);
  display.end();
  expect(text().match(/\d+ %/g)).toEqual(['100 %', '100 %']);
});

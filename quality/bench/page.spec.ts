import { sectionOf, withSection } from './page';
import { markdownTable } from './report';
import type { Report } from './scenario';

const conditions = {
  machine: 'a processor',
  versions: 'Node 20',
  date: '2026-11-21',
  command: 'npm run bench',
};

const report: Report = {
  results: [
    ['', 'per second'],
    ['ours', '1,000 rows'],
  ],
  ratios: [
    ['', 'Found'],
    ['ours ÷ raw', '0.61'],
  ],
  processes: [['', 'CPU s']],
  notes: ['pgbench is missing.'],
  broken: false,
};

describe('docs/benchmarks.md', () => {
  const section = sectionOf({ title: 'Draining', about: 'Rows.' }, report, conditions);

  it('tells what was measured, where and by which command', () => {
    expect(section).toMatch(/^## Draining\n\nRows\./);
    for (const part of ['ours ÷ raw', 'a processor', 'Node 20', '2026-11-21', '`npm run bench`', 'pgbench']) {
      expect(section).toContain(part);
    }
  });

  it('gets a new section at its end', () => {
    const page = withSection('# Benchmarks\n\nWords.\n', section);
    expect(page.indexOf('Words.')).toBeLessThan(page.indexOf('## Draining'));
  });

  it('keeps the other sections, and what people wrote below the numbers, when one is measured again', () => {
    const page = `# Benchmarks\n\n## Draining\n\nold\n\n### Where the time goes\n\nIn parsing.\n\n## Creating\n\n1\n`;
    const after = withSection(page, section);
    expect(after).not.toContain('old');
    expect(after.match(/## Draining\n/g)).toHaveLength(1);
    expect(after.indexOf('In parsing.')).toBeGreaterThan(after.indexOf('ours ÷ raw'));
    expect(after).toContain('\n## Creating\n\n1\n');
    expect(withSection(after, section)).toBe(after);
  });
});

describe('a table in Markdown', () => {
  it('has its numbers on the right', () => {
    expect(
      markdownTable([
        ['name', 'rate'],
        ['a', '1,000'],
      ]),
    ).toBe('| name | rate |\n| --- | --: |\n| a | 1,000 |');
  });
});

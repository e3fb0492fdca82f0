import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

interface Report {
  testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
}

const root = path.join(__dirname, '../..');

/** Runs the fixture as every spec file is run (jest.preset.js); by title, what jest says of each test. */
function runFixture(): Map<string, string> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-answers-'));
  try {
    const report = path.join(dir, 'report.json');
    const fixture = path.join(__dirname, 'fixtures/answers.fixture.ts');
    const config = path.join(__dirname, '../jest.config.js');
    const jest = require.resolve('jest/bin/jest');
    spawnSync(
      process.execPath,
      [jest, '-c', config, '--testMatch', fixture, '--json', `--outputFile=${report}`],
      { cwd: root, stdio: 'ignore' },
    );
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    return new Map(
      tests.map(({ title, failureMessages }) => [title, failureMessages.join('\n').split('\n    at ')[0]!]),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

it('a test that gets an answer which is not documented fails, although it looks at nothing', () => {
  const said = runFixture();
  const faults: Record<string, string> = {
    'right: as documented': '',
    'right: a documented problem': '',
    'a member of another type': '200: /id must be string',
    'a member missing': "200: the body must have required property 'name'",
    'a member too many': '200: the body must NOT have additional properties: more',
    'no body': '200: the content type "" is not documented',
    'a status that is not documented': '202: the status 202 is not documented',
    'a failure of the service': '500: the status 500 is not documented',
    'a problem that is not documented': '409: /errorCode must be equal to constant',
    'a problem with a member too many': '409: the body must NOT have additional properties: formId',
    'a media type that is not documented': '200: the content type "text/csv" is not documented',
    'a stream of wrong JSON': '200: /id must be string',
    'a documented header missing': '200: the documented header etag is missing',
    'a header that is not documented': '200: the header location is not documented',
    'a health of no documented kind': 'getHealth 200: the body must be equal to one of the allowed values',
  };
  expect([...said.keys()].sort()).toEqual(Object.keys(faults).sort());
  for (const [title, fault] of Object.entries(faults)) {
    if (fault === '') expect([title, said.get(title)]).toEqual([title, '']);
    else expect(said.get(title)).toContain(fault);
  }
});

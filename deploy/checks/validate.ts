import path from 'node:path';
import { validateDeployment } from './validate-deployment';

/** Prints a line per deployment file, and one per fault; exits 1 when there is any. */
async function main(): Promise<void> {
  const reports = await validateDeployment(path.resolve(__dirname, '../..'));
  for (const { file, faults } of reports) {
    console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${file}`);
    for (const fault of faults) console.log(`     ${fault}`);
  }
  process.exitCode = reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

void main();

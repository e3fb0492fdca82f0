export interface Report {
  status: string;
  checks: { name: string; status: string; description: string | null }[];
}

/** The health report of a process; null while it does not respond. */
export async function healthOf(url: string): Promise<Report | null> {
  const response = await fetch(`${url}/health/detail`).catch(() => null);
  return response === null ? null : ((await response.json()) as Report);
}

/** The status of one check, or `absent`. */
export function statusOf(report: Report | null, check: string): string {
  return report?.checks.find(({ name }) => name === check)?.status ?? 'absent';
}

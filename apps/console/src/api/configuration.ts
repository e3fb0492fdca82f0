import type { components } from '@canvass/client';
import { pathPrefix } from '../base';
import { faultOf, noAnswer } from './fault';

export type Configuration = components['schemas']['ConsoleConfiguration'];

let kept: Promise<Configuration> | null = null;

/** The settings of the console, read once. @throws {Fault} */
export function readConfiguration(): Promise<Configuration> {
  kept ??= read().catch((error: unknown) => {
    kept = null;
    throw error;
  });
  return kept;
}

async function read(): Promise<Configuration> {
  const response = await fetch(`${pathPrefix}/api/console/configuration`).catch(() => {
    throw noAnswer();
  });
  if (!response.ok) throw await faultOf(response);
  return (await response.json()) as Configuration;
}

import { bodies } from './bodies';
import type { Table } from './forgery';
import { headers } from './headers';
import { onBehalf } from './on-behalf';
import { reading } from './reading';
import { bearers } from './tokens';

/** All of them; `forging.api.long.spec.ts` tries each and looks at what was stored and what was answered. */
export const forgeries: Table = [...bodies, ...headers, ...bearers, ...onBehalf, ...reading];

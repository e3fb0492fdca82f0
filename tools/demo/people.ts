import type { Random } from '@canvass/testing';
import { dataFile } from './data-file';

/** A respondent whom an integration names. */
export interface Person {
  externalSubjectId: string;
  displayId: string;
  email: string;
  /** ISO 3166 code. */
  country: string;
  /** The fields that the stack of `npm start` keeps. */
  profile: { department: string; name: string };
}

type Names = Record<string, { first: string[]; last: string[] }>;

const departments = ['Sales', 'Support', 'Finance', 'Logistics', 'Research', 'Marketing'];

/**
 * Invents people, each with a name of their country.
 *
 * @param series part of their external ids, so that two series can exist in one tenant
 */
export function makePeople(random: Random, count: number, series: string): Person[] {
  const names = JSON.parse(dataFile('names.json')) as Names;
  return Array.from({ length: count }, (_, index) => {
    const country = random.pick(Object.keys(names));
    const { first, last } = names[country]!;
    const name = `${random.pick(first)} ${random.pick(last)}`;
    const number = String(index + 1).padStart(4, '0');
    return {
      externalSubjectId: `crm-${series}-${number}`,
      displayId: name,
      email: `customer-${number}@example.org`,
      country,
      profile: { department: random.pick(departments), name },
    };
  });
}

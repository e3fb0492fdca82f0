import { Fault, type Violation } from '../../api';
import { endpointsOf, type EditedEndpoint, type EditedSettings, type EventName } from './settings';

/** `webHookSettingsJson.Events.<event>.WebHookEndpoints[<place>].<member>` */
const place = /^webHookSettingsJson\.Events\.(\w+)\.WebHookEndpoints\[(\d+)\]\.?(.*)$/s;

/** The name of a field of an endpoint in the editor. */
export const fieldName = (key: number, member: string): string => `endpoints[${key}].${member}`;

/**
 * The fault with the names of the fields of the editor: the API names an endpoint once for each of its
 * events.
 */
export function faultInEditor(
  fault: Fault,
  settings: EditedSettings,
  titles: Readonly<Partial<Record<string, string>>>,
): Fault {
  const violations = new Map<string, Violation>();
  for (const violation of fault.violations) {
    const found = endpointIn(settings, violation.path);
    const member = found?.member ?? '';
    const path = found === undefined ? violation.path : fieldName(found.endpoint.key, shownMember(member));
    // Which filters are possible depends on the event.
    const ofEvent = member.startsWith('Filter') && found !== undefined && found.endpoint.events.length > 1;
    const message = ofEvent
      ? `${titles[found.event] ?? found.event}: ${violation.message}`
      : violation.message;
    violations.set(`${path} ${message}`, { ...violation, path, message });
  }
  return withViolations(fault, [...violations.values()]);
}

/** The fault of a test of one endpoint, with the names of its fields in the editor. */
export function faultOfTrial(fault: Fault, key: number): Fault {
  const violations = fault.violations.map((violation) => {
    const member = violation.path.replace(/^endpoint\.?/, '');
    return { ...violation, path: fieldName(key, shownMember(member)) };
  });
  return withViolations(fault, violations);
}

const withViolations = (fault: Fault, violations: readonly Violation[]): Fault => {
  const { status, code, message, requestId, retryAfter, erases } = fault;
  return new Fault(status, code, message, requestId, retryAfter, violations, erases);
};

/** The keys of the endpoints that the API refused. */
export const refusedKeys = (fault: Fault, settings: EditedSettings): number[] =>
  fault.violations.flatMap(({ path }) => endpointIn(settings, path)?.endpoint.key ?? []);

/** The certificate and its key are refused together, and so is what concerns the whole endpoint. */
const shownMember = (member: string): string =>
  member === '' ? 'Url' : member === 'ClientCertificate' ? 'ClientCertificate.Certificate' : member;

function endpointIn(
  settings: EditedSettings,
  path: string,
): { endpoint: EditedEndpoint; event: EventName; member: string } | undefined {
  const [, event, index, member = ''] = place.exec(path) ?? [];
  if (event === undefined) return undefined;
  const name = event as EventName;
  const endpoint = endpointsOf(settings, name)[Number(index)];
  return endpoint && { endpoint, event: name, member };
}

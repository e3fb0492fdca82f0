import addFormats from 'ajv-formats';
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import type { OutgoingHttpHeaders } from 'node:http';
import type { OpenApiDocument } from './document';

/** An answer as it goes over the wire. */
export interface SentAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<OutgoingHttpHeaders>;
  /** Null when it is not known: the answer to a HEAD, or one that is too long to be meaningful. */
  body: Buffer | null;
}

/** A Response Object, looked up. */
interface DocumentedAnswer {
  content?: Record<string, { schema?: object }>;
  headers?: Record<string, { required?: boolean }>;
}

/** Headers that mean something to a client, so that a success which has one must say so. */
const meaningful = ['etag', 'location', 'content-disposition'];

/** Holds answers to what a document says of them. */
export class AnswerCheck {
  readonly #ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument) {
    this.#ajv.addSchema(document, 'document');
  }

  /**
   * The faults of an answer; nothing when the document says as much. A status that is not named is a fault,
   * also where the operation has a `default`.
   *
   * @param path as the document writes it: `/api/forms/{formId}`
   */
  faults(method: string, path: string, answer: SentAnswer): string[] {
    const operation = pointer('paths', path, method, 'responses', String(answer.status));
    const found = this.#lookUp<DocumentedAnswer>(operation);
    if (found === undefined) return [`the status ${answer.status} is not documented`];
    return [...this.#bodyFaults(found, answer), ...headerFaults(found.value, answer)];
  }

  #bodyFaults({ value, at }: Found<DocumentedAnswer>, { headers, body }: SentAnswer): string[] {
    const [mediaType = ''] = String(headers['content-type'] ?? '').split(';', 1);
    if (value.content === undefined)
      return body !== null && body.length > 0 ? [`has a body (${mediaType}), and none is documented`] : [];
    if (value.content[mediaType] === undefined) return [`the content type "${mediaType}" is not documented`];
    if (body === null || !/[/+]json$|^text\/plain$/.test(mediaType)) return [];
    let sent: unknown = body.toString('utf8');
    try {
      if (mediaType !== 'text/plain') sent = JSON.parse(sent as string);
    } catch {
      return ['the body is not JSON'];
    }
    const validate = this.#validator(`${at}${pointer('content', mediaType, 'schema')}`);
    return validate(sent) ? [] : (validate.errors ?? []).slice(0, 10).map(faultText);
  }

  #validator(at: string): ValidateFunction {
    let validate = this.#validators.get(at);
    if (validate === undefined)
      this.#validators.set(at, (validate = this.#ajv.compile({ $ref: `document#${encodeURI(at)}` })));
    return validate;
  }

  #lookUp<T>(at: string): Found<T> | undefined {
    let value: unknown = this.document;
    for (const part of at.split('/').slice(1)) {
      value = (value as Record<string, unknown> | undefined)?.[
        part.replaceAll('~1', '/').replaceAll('~0', '~')
      ];
    }
    const { $ref } = (value ?? {}) as { $ref?: string };
    if ($ref !== undefined) return this.#lookUp($ref.slice(1));
    return value === undefined ? undefined : { value: value as T, at };
  }
}

interface Found<T> {
  value: T;
  /** JSON pointer (RFC 6901) of the value in the document. */
  at: string;
}

const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function headerFaults({ headers = {} }: DocumentedAnswer, answer: SentAnswer): string[] {
  const documented = Object.entries(headers).map(
    ([name, { required }]) => [name.toLowerCase(), required] as const,
  );
  const missing = documented
    .filter(([name, required]) => required === true && answer.headers[name] === undefined)
    .map(([name]) => `the documented header ${name} is missing`);
  const secret = meaningful
    .filter((name) => answer.headers[name] !== undefined && !documented.some(([known]) => known === name))
    .map((name) => `the header ${name} is not documented`);
  return [...missing, ...(answer.status < 300 ? secret : [])];
}

const faultText = ({ instancePath, message = '', params }: ErrorObject): string => {
  const name = (params as { additionalProperty?: string }).additionalProperty;
  return `${instancePath || 'the body'} ${message}${name === undefined ? '' : `: ${name}`}`;
};

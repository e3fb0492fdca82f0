import type { Target } from '@canvass/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendAsset, type Asset } from './assets';
import { callerPath, type SendCaller } from './caller';
import { redirectToConsole, sendConsole, type FindConsoleFile } from './console';
import { isFormPage, sendFormPageFile, type AskedPage, type FormPages } from './form-page';
import type { Upstream } from './forwarding';
import type { Route } from './routing';

/** A page or file that the gateway answers itself. */
export interface OwnPage {
  /** The route whose limits count its requests; null: none does. */
  counted: Pick<Route, 'access' | 'takesAnswers'> | null;
  /** Responds. @throws {Problem} that becomes the response */
  send(asked: AskedPage): void | Promise<void>;
}

export type FindOwnPage = (target: Target) => OwnPage | undefined;

export interface OwnPages {
  /** Documents with the files of their page, by path. */
  assets: ReadonlyMap<string, Asset>;
  /** The files and pages of the web console. */
  findConsoleFile: FindConsoleFile;
  /** The content security policy of its pages. */
  consolePolicy: string;
  pathPrefix: string;
  /** The pages on which forms are answered; null if they were not built. */
  formPages: FormPages | null;
  /** The service that has the forms. */
  formsOf: Upstream | undefined;
  /** Says who the caller is; null if identity-svc does. */
  sendCaller: SendCaller | null;
}

/** Finds what the gateway answers itself, except for health. */
export function createOwnPages(deps: OwnPages): FindOwnPage {
  const { assets, findConsoleFile, consolePolicy, pathPrefix, formPages, formsOf, sendCaller } = deps;
  return (target) => {
    const asset = assets.get(target.path);
    if (asset !== undefined) return file((request, response) => sendAsset(asset, request, response));
    if (target.path === '/' && findConsoleFile('/console') !== undefined)
      return file((request, response) => redirectToConsole(pathPrefix, request, response));
    const page = findConsoleFile(target.path);
    if (page !== undefined)
      return file((request, response) => sendConsole(page, consolePolicy, request, response));
    if (sendCaller !== null && target.path === callerPath)
      return {
        counted: { access: 'credentials' },
        send({ request, response, refusal }) {
          if (refusal !== null) throw refusal;
          return sendCaller(request, response);
        },
      };
    if (formPages === null) return undefined;
    const formFile = formPages.findFile(target.path);
    if (formFile !== undefined)
      return file((request, response) => sendFormPageFile(formFile, request, response));
    // A person gets a page instead of a problem.
    if (isFormPage(target))
      return { counted: { access: 'anonymous' }, send: (asked) => formPages.send(formsOf, asked) };
    return undefined;
  };
}

const file = (send: (request: IncomingMessage, response: ServerResponse) => void): OwnPage => ({
  counted: null,
  send: ({ request, response }) => send(request, response),
});

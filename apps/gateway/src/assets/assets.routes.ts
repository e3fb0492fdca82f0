import { Problem } from '@canvass/errors';
import { assertParameters, notesOf, notModified, tellAnswerBegun } from '@canvass/service-kit';
import type { RequestHandler } from 'express';
import type { Asset } from './load-assets';

const allow = 'GET, HEAD, OPTIONS';

/**
 * Answers for the files that the gateway itself has; browsers ask each time whether theirs is still good.
 *
 * @throws {Problem} `method_not_allowed`; `validation_failed` for a query
 */
export function assetsHandler(assets: ReadonlyMap<string, Asset>): RequestHandler {
  return (request, response, next) => {
    const asset = assets.get(request.path.replace(/(.)\/$/, '$1')); // one slash at the end is taken for none, as everywhere
    if (asset === undefined) return next();
    notesOf(response).route = asset.operation.path;
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { Allow: allow }).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Problem('method_not_allowed', { headers: { Allow: allow } });
    }
    tellAnswerBegun({ operation: asset.operation, request, response });
    notesOf(response).operationId = asset.operation.operationId;
    assertParameters(asset.operation.query, request.query);
    const { bytes, hash } = asset.content();
    response.setHeader('ETag', `"${hash}"`);
    response.setHeader('Cache-Control', 'public, no-cache');
    if (asset.contentSecurityPolicy !== undefined) {
      response.setHeader('Content-Security-Policy', asset.contentSecurityPolicy);
    }
    if (notModified(request.headers['if-none-match'], hash)) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Type', asset.contentType);
    response.send(bytes);
  };
}

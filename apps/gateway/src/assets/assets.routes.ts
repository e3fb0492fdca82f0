import { notesOf, notModified } from '@canvass/service-kit';
import type { RequestHandler } from 'express';
import type { Asset } from './load-assets';

/** Answers `GET` and `HEAD` of the files that the gateway itself has; browsers ask each time whether theirs is still good. */
export function assetsHandler(assets: ReadonlyMap<string, Asset>): RequestHandler {
  return (request, response, next) => {
    const asset = assets.get(request.path);
    if (asset === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    notesOf(response).route = request.path;
    response.setHeader('ETag', `"${asset.hash}"`);
    response.setHeader('Cache-Control', 'public, no-cache');
    if (notModified(request.headers['if-none-match'], asset.hash)) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Type', asset.contentType);
    response.send(asset.bytes);
  };
}

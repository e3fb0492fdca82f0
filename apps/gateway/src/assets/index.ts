export { assetOperations } from './asset-files';
export { assetsHandler } from './assets.routes';
export { loadAssets } from './load-assets';

export { assetOperations } from './asset-files';
export { loadAssets, sendAsset, type Asset } from './assets';

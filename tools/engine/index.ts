export { Engine, withEngine } from './engine';
export { ensureNodeImage, ensureServerImages } from './base-images';
export { buildImage } from './build-image';
export { inNamespaces, obstacle } from './namespaces';
export { engineDir, engineLock, enginePrograms, type EnginePrograms } from './programs';

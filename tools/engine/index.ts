export { Engine, withEngine } from './engine';
export { ensureNodeImage, ensureServerImages, serverImages } from './base-images';
export { buildImage } from './build-image';
export { inNamespaces, withEnginePrograms } from './namespaces';
export { engineDir, enginePrograms, type EnginePrograms } from './programs';

export { Engine, withEngine } from './engine';
export { ensureNodeImage, ensureServerImages, serverImages } from './base-images';
export { inNamespaces, withEnginePrograms } from './namespaces';
export { engineDir, enginePrograms, type EnginePrograms } from './programs';

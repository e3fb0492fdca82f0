import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Fault } from './fault';
import { readKubernetesFiles } from './manifests';

/** The image has one name and the version of package.json in every file. */
export function checkVersions(root: string): Fault[] {
  const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const faults: Fault[] = [];
  const compose = 'docker-compose.yml';
  const tag = /canvass:([\w.-]+)\}/.exec(readFileSync(path.join(root, compose), 'utf8'))?.[1];
  if (tag !== version)
    faults.push({ file: compose, message: `the image is canvass:${tag ?? '?'}, the version ${version}` });
  for (const { file, images } of readKubernetesFiles(root).kustomizations) {
    for (const { name, newTag } of images) {
      if (name === 'canvass' && newTag !== version) {
        faults.push({ file, message: `the image is canvass:${newTag ?? '?'}, the version ${version}` });
      }
    }
  }
  return faults;
}

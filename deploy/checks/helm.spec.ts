import { chartDifferences, objectsOf } from './helm';

const kustomized = objectsOf(
  [
    'kind: Job\nmetadata: { name: canvass-provision }\nspec: { backoffLimit: 10 }',
    'kind: Service\nmetadata: { name: gateway }\nspec: { ports: [{ port: 8080 }] }',
  ].join('\n---\n'),
);
const job = 'kind: Job\nmetadata: { name: canvass-provision-1 }\nspec: { backoffLimit: 10 }\n';

it.each([
  ['the same', `kind: Service\nmetadata: { name: gateway }\nspec: { ports: [{ port: 8080 }] }`, []],
  ['a missing one', '', ['lacks Service gateway']],
  [
    'a changed one',
    'kind: Service\nmetadata: { name: gateway }\nspec: { ports: [{ port: 81 }] }',
    ['Service gateway differs: spec.ports lacks {"port":8080}'],
  ],
  [
    'one with more',
    'kind: Service\nmetadata: { name: gateway }\nspec: { type: NodePort, ports: [{ port: 8080 }] }',
    ['Service gateway differs: it has more'],
  ],
  [
    'one too many',
    'kind: Service\nmetadata: { name: gateway }\nspec: { ports: [{ port: 8080 }] }\n---\nkind: Pod\nmetadata: { name: a }',
    ['Pod a is in the chart only'],
  ],
])('compares the objects of the chart with those of kustomize: %s', (_, service, faults) => {
  expect(chartDifferences(objectsOf(`${job}---\n${service}`), kustomized)).toEqual(faults);
});

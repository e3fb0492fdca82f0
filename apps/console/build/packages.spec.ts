import { packageFaults } from './packages';

it('names packages of the build that the list lacks, each once, and those that only the list has', () => {
  expect(packageFaults(['react', 'gone'], ['react', 'new', 'new'])).toEqual([
    'The build contains new: add it to packages.json.',
    'packages.json names gone, which the build does not contain.',
  ]);
  expect(packageFaults(['react', 'wouter'], ['wouter', 'react', 'react'])).toEqual([]);
});

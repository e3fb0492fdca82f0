export { digitsOf, readJson, writeJson } from './json-numbers';

export { digitsOf, readJson, readJsonForFloats, writeJson } from './json-numbers';

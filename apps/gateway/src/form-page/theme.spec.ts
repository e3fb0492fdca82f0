import { readable } from './theme';

it.each([
  ['#0f766e', '#0f766e', '#579f9a'],
  ['#ffee00', '#7a7200', '#ffee00'],
  ['#ffffff', '#707070', '#ffffff'],
  ['#000000', '#000000', '#949494'],
  ['#ff0000', '#e00000', '#ff5c5c'],
])('makes of %s %s in light and %s in dark', (colour, light, dark) => {
  expect([readable(colour, 'light'), readable(colour, 'dark')]).toEqual([light, dark]);
});

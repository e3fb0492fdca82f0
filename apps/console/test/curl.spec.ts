import { curlOf } from '../src/signed-in/curl';

it('is a command without the token, and nothing of the address ends its argument', () => {
  expect(curlOf('https://forms.example.org', "/api/submitters?search=O'Hara%20%24(id)&limit=50")).toBe(
    'curl -H "Authorization: Bearer $TOKEN" ' +
      "'https://forms.example.org/api/submitters?search=O%27Hara%20%24(id)&limit=50'",
  );
});

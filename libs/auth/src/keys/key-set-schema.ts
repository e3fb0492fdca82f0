import { exactObject } from '@canvass/contracts';
import Joi from 'joi';

/** A key as `jwks()` of a key ring publishes it (RFC 7517, RFC 7518 section 6.3.1). */
interface PublishedKey {
  kty: 'RSA';
  n: string;
  e: string;
  kid: string;
  use: 'sig';
  alg: 'RS256';
}

const base64url = Joi.string().pattern(/^[A-Za-z0-9_-]+$/);

const publishedKey = exactObject<PublishedKey>('JsonWebKey', {
  kty: Joi.string().valid('RSA'),
  n: base64url.description('modulus'),
  e: base64url.description('exponent'),
  kid: base64url.description('thumbprint (RFC 7638); the header `kid` of the tokens it signed'),
  use: Joi.string().valid('sig'),
  alg: Joi.string().valid('RS256'),
});

/** An example key set for the API documents. */
export const keySetExample: { keys: PublishedKey[] } = {
  keys: [
    {
      kty: 'RSA',
      n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw',
      e: 'AQAB',
      kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
      use: 'sig',
      alg: 'RS256',
    },
  ],
};

/** Schema of the result of `jwks()`, for documents and tests. */
export const keySetSchema = exactObject<{ keys: PublishedKey[] }>('JsonWebKeySet', {
  keys: Joi.array()
    .items(publishedKey.optional())
    .description('current keys, future keys, and keys of unexpired tokens'),
})
  .description('A JSON Web Key Set (RFC 7517).')
  .example(keySetExample);

/** A number such as A-1234. The identity provider alone sets this claim: people cannot choose it. */
const badgeNumber = /^[A-Z]-[0-9]{1,10}$/;

/**
 * Respondents whose tokens carry the number of a staff badge are known by that number, whichever provider
 * signed the token. All other callers are left to the built-in extractors.
 *
 * @type {import('@canvass/extensions').SubmitterExtractor}
 */
export const extractor = {
  priority: 50, // the built-in ones begin at 100

  canExtract: ({ claims }) => typeof claims.badge === 'string' && badgeNumber.test(claims.badge),

  extract: ({ claims }) => ({
    authProvider: 'Badge',
    externalSubjectId: String(claims.badge),
    displayId: `Badge ${claims.badge}`,
    profile: claims, // only the fields of Service:Submitter:ProfileSnapshotFields are kept
  }),
};

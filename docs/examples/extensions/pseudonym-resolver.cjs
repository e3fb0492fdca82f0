const { createHmac } = require('node:crypto');
const { readFileSync } = require('node:fs');

/**
 * Replaces the identity of respondents by a pseudonym: the database does not show who they are, and the same respondent
 * always gets the same pseudonym. It cannot be computed without the key. With another key all pseudonyms change.
 *
 * @type {import('@canvass/extensions').CreateResolver}
 */
exports.createResolver = () => {
  const key = readFileSync(process.env.RESPONDENT_KEY_FILE ?? '/run/secrets/respondent-key', 'utf8').trim();
  if (key.length < 32) throw new Error('RESPONDENT_KEY_FILE must hold 32 characters or more.');
  return {
    resolve({ kind, tenantId, provider, subject }) {
      if (kind === 'service') return null; // a service account answers no forms
      const person = JSON.stringify([tenantId, provider, subject]);
      const pseudonym = createHmac('sha256', key).update(person).digest('base64url');
      return {
        authProvider: 'Pseudonym',
        externalSubjectId: pseudonym,
        displayId: `Respondent ${pseudonym.slice(0, 8)}`,
      };
    },
  };
};

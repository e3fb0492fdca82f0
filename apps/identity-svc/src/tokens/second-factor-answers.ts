import { exactObject } from '@canvass/contracts';
import { revisionHeader, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { SecondFactorSecret, SecondFactorState } from './second-factor';

/** Responses of the operations on the second factor, for documents and tests. */

const stateExample: SecondFactorState = { isEnabled: true, isRequired: true, recoveryCodesLeft: 9 };

export const secondFactorAnswer: DescribedAnswer = {
  description: 'The second factor of the caller.',
  body: exactObject<SecondFactorState>('SecondFactor', {
    isEnabled: Joi.boolean().description('whether a sign-in needs a code'),
    isRequired: Joi.boolean().description(
      'whether a role of the caller requires it; without it, tokens do not contain that role',
    ),
    recoveryCodesLeft: Joi.number().integer().min(0).description('recovery codes that were not used yet'),
  }),
  headers: revisionHeader,
  example: stateExample,
};

const secretExample: SecondFactorSecret = {
  secret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  otpauthUri:
    'otpauth://totp/Canvass:grace%40example.org?secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567&issuer=Canvass&digits=6&period=30',
};

export const newSecondFactor: DescribedAnswer = {
  description: 'The secret, which no other response contains.',
  body: exactObject<SecondFactorSecret>('SecondFactorSecret', {
    secret: Joi.string().description('in Base32, to type it into an authenticator app'),
    otpauthUri: Joi.string().description('the same for a QR code'),
  }),
  example: secretExample,
};

const codesExample = {
  recoveryCodes: ['A2B3-C4D5-E6F7-G2H3-J4K5-L6M7-N2P3', 'B3C4-D5E6-F7G2-H3I4-K5L6-M7N2-P3Q4'],
};

export const recoveryCodesAnswer: DescribedAnswer = {
  description: 'Codes for sign-ins without the app, each for one. No other response contains them.',
  body: exactObject<{ recoveryCodes: string[] }>('RecoveryCodes', {
    recoveryCodes: Joi.array().items(Joi.string()).description('ten codes'),
  }),
  example: codesExample,
};

export const removedSecondFactor: DescribedAnswer = {
  description: 'Sign-ins need no code any more.',
};
